import { Cloudlets, rowOf, type Cloudlet } from '../../../ui/cloudlets.tsx'
import type { Field } from '../fields.ts'

type Motif = { readonly lines?: string; readonly open?: readonly Cloudlet[]; readonly filled: readonly Cloudlet[] }

/** Around (0, 0), at most 44 wide and 28 high. The circles are the cloudlets of docs/look.md. */
const motifs: Record<Field, Motif> = {
  // Nodes, all joined to one.
  networking: {
    lines:
      'M-13.5 -7.500L-3.5 -1.500M13.5 -7.500L3.5 -1.500M-13.5 7.500L-3.5 1.500M13.5 7.500L3.5 1.500M-16 -6V6M16 -6V6',
    open: [
      [-16, -9],
      [16, -9],
      [-16, 9],
      [16, 9],
    ],
    filled: [[0, 0]],
  },
  // A lock of cloudlets; the keyhole is filled.
  security: {
    lines: 'M-8 -2V-5.500a8 8 0 0116 0V-2',
    open: [...rowOf(2, { x: -12, y: 2, step: 24 }), ...rowOf(4, { x: -12, y: 10, step: 8 })],
    filled: rowOf(2, { x: -4, y: 2, step: 8 }),
  },
  // Three layers, each joined to the next.
  ai: {
    lines: 'M-14 -8L-3 -4M-14 -7L-2.5 3M-14 7L-2.5 -3M-14 8L-3 4M3 -4L14 -1M3 4L14 1',
    open: [
      [-17, -9],
      [-17, 9],
      [0, -5.5],
      [0, 5.5],
    ],
    filled: [[17, 0]],
  },
  // Columns that grow; the newest value is filled.
  data: {
    open: [
      ...rowOf(4, { x: -15, y: 10, step: 10 }),
      ...rowOf(3, { x: -5, y: 2, step: 10 }),
      ...rowOf(1, { x: 5, y: -6, step: 10 }),
    ],
    filled: [
      [15, -6],
      [15, -14],
    ],
  },
  // The endless loop of building and running.
  operations: {
    lines: 'M0 0C-4 -7 -8 -9 -11.5 -9A9 9 0 00-11.5 9C-8 9 -4 7 0 0S8 -9 11.5 -9A9 9 0 0111.5 9C8 9 4 7 0 0',
    open: [
      [-11.5, -9],
      [11.5, 9],
    ],
    filled: [[0, 0]],
  },
  // Brackets around an answer.
  developer: {
    lines: 'M-10.5 -8L-16.5 -2.200M-16.5 2.200L-10.5 8M10.5 -8L16.5 -2.200M16.5 2.200L10.5 8',
    open: [
      [-19, 0],
      [19, 0],
    ],
    filled: rowOf(3, { x: -8, y: 0, step: 8 }),
  },
  // A gable on columns.
  architecture: {
    lines: 'M-17 -3L-3 -10M17 -3L3 -10M-17 -2.500H17M-14 4V11M0 4V11M14 4V11M-18 13H18',
    open: rowOf(3, { x: -14, y: 1.5, step: 14 }),
    filled: [[0, -11]],
  },
  // The cloud itself.
  practitioner: {
    open: [...rowOf(2, { x: -8, y: -8, step: 8 }), ...rowOf(5, { x: -16, y: 8, step: 8 }), [-12, 0], [4, 0], [12, 0]],
    filled: [[-4, 0]],
  },
}

/** Two lines of an answer sheet. */
const sheet: Motif = {
  open: [...rowOf(3, { x: -4, y: -5, step: 9 }), ...rowOf(2, { x: -13, y: 6, step: 9 }), [14, 6]],
  filled: [
    [-13, -5],
    [5, 6],
  ],
}

/** What a certification is about, drawn. */
export function FieldMotif({ field }: { field: Field | null }) {
  const { lines, open, filled } = field === null ? sheet : motifs[field]
  return (
    <g strokeWidth="1.8" strokeLinecap="round" strokeLinejoin="round">
      {lines === undefined ? null : <path d={lines} fill="none" stroke="currentColor" />}
      <Cloudlets open={open} filled={filled} />
    </g>
  )
}
