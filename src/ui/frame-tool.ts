import { createContext, type ReactNode } from 'react'

/** A control that the app places in the header of every exam frame, whichever feature renders the frame. */
export const FrameTool = createContext<ReactNode>(null)
