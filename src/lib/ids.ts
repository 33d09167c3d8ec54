/** Row ids are UUIDs; the brand keeps a course's id from being passed where an exam's belongs. */
export type Id<Name extends string> = string & { readonly id: Name }
export type UserId = Id<'person'>
export type GuestId = Id<'guest'>
export type CourseId = Id<'course'>
export type ExamId = Id<'exam'>
export type AttemptId = Id<'attempt'>
export type OrderId = Id<'order'>

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return uuid.test(text)
}

/** The local form's numeric id of a course, derived from its row id: the first 48 bits. */
export function numericId(rowId: string): number {
  return Number.parseInt(rowId.replaceAll('-', '').slice(0, 12), 16)
}
