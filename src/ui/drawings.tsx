import type { ReactNode } from 'react'
import { Cloudlets, rowOf } from './cloudlets.tsx'

const DRAWINGS = ['list', 'courses', 'cart', 'search', 'attempts'] as const
export type DrawingName = (typeof DRAWINGS)[number]

const drawings: Record<DrawingName, ReactNode> = {
  // A sheet on which nothing stands yet.
  list: (
    <>
      <path d="M42 14h56a4 4 0 014 4v52a4 4 0 01-4 4H42a4 4 0 01-4-4V18a4 4 0 014-4z" />
      <path d="M62 30h28M62 44h22M62 58h25" strokeDasharray="1 6" />
      <Cloudlets open={[30, 44, 58].map((y) => [50, y] as const)} radius={4} />
    </>
  ),
  // A sheet with its first answer, under its cloud.
  courses: (
    <>
      <Sky />
      <path d="M46 38h48a4 4 0 014 4v34H42V42a4 4 0 014-4zM34 76h72" />
      <path d="M64 50h24M64 63h18" strokeDasharray="1 6" />
      <Cloudlets open={[[53, 63]]} filled={[[53, 50]]} radius={4} />
    </>
  ),
  // A cart that waits for something to fall in.
  cart: (
    <>
      <path d="M34 30h9l9 32h36l8-24H46" />
      <Cloudlets open={rowOf(3, { x: 58, y: 20, step: 14 })} radius={4} />
      <Cloudlets
        filled={[
          [58, 73],
          [82, 73],
        ]}
        radius={4}
      />
    </>
  ),
  // A lens over a row without the answer.
  search: (
    <>
      <Cloudlets
        open={[...rowOf(2, { x: 22, y: 42, step: 15 }), ...rowOf(2, { x: 103, y: 42, step: 15 })]}
        radius={4}
      />
      <circle cx="68" cy="40" r="21" />
      <path d="M83 55l15 16" />
      <path d="M60 40h16" strokeDasharray="1 6" />
    </>
  ),
  // An answer sheet before the exam, with a pencil.
  attempts: (
    <>
      <path d="M36 14h54a4 4 0 014 4v52a4 4 0 01-4 4H36a4 4 0 01-4-4V18a4 4 0 014-4z" />
      <Cloudlets open={[29, 44, 59].flatMap((y) => rowOf(4, { x: 44, y, step: 12 }))} radius={4} />
      <path d="M110 22l6 6-18 30-8 4 2-9zM106 28l6 6" className="fill-paper" />
    </>
  ),
}

/** The altocumulus: two rows of cloudlets. */
function Sky() {
  return (
    <Cloudlets open={[...rowOf(4, { x: 49, y: 12, step: 14 }), ...rowOf(5, { x: 42, y: 24, step: 14 })]} radius={3.5} />
  )
}

/** A small line drawing for what is empty. */
export function Drawing({ name }: { name: DrawingName }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 140 84"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      className="mx-auto mb-4 w-44 text-line-strong"
    >
      {drawings[name]}
    </svg>
  )
}
