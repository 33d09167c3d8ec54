import { createContext, type ReactNode } from 'react'

/** A tool that belongs into the header of every frame below, whoever draws it. The shell gives it. */
export const FrameTool = createContext<ReactNode>(null)
