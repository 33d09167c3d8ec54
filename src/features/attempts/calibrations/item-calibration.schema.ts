/** How hard a question is, in logits: 0 is an author's "medium". */
export type ItemCalibration = {
  readonly difficulty: number
  /** The standard error of the difficulty. */
  readonly deviation: number
  /** The answers that it rests on. Without any, the difficulty is that of the author's label. */
  readonly responseCount: number
}
