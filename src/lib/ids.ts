/** Row ids are UUIDs. The brand prevents passing the id of a course as that of an exam. */
type Id<Name extends string> = string & { readonly id: Name }
export type UserId = Id<'user'>
export type SessionId = Id<'session'>
export type GuestId = Id<'guest'>
export type CourseId = Id<'course'>
export type ExamId = Id<'exam'>
export type AttemptId = Id<'attempt'>
export type OrderId = Id<'order'>

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return uuid.test(text)
}

/** The numeric id of a course or exam in the local data calls: the first 48 bits of its row id. */
export function numericId(rowId: string): number {
  return Number.parseInt(rowId.replaceAll('-', '').slice(0, 12), 16)
}
