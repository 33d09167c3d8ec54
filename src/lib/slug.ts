import { isUuid } from './ids.ts'

/**
 * Spec 5, Course slug: lowercased, trimmed, non-alphanumerics removed, spaces to hyphens, repeated hyphens collapsed;
 * empty or purely numeric becomes item-{timestamp}; one that starts with a digit is prefixed with item-.
 */
export function courseSlug(title: string, now: Date): string {
  const slug = title
    .toLowerCase()
    .trim()
    .replaceAll(/[^a-z0-9\s-]/g, '')
    .replaceAll(/[\s-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  if (slug === '' || /^[\d-]+$/.test(slug)) return `item-${now.getTime()}`
  return /^\d/.test(slug) ? `item-${slug}` : slug
}

/** Spec 5, the looser reading, for a row without a slug; 'course' when nothing is left. */
export function fallbackSlug(title: string): string {
  const slug = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9\s-]/g, '')
    .trim()
    .replaceAll(/\s+/g, '-')
  return slug === '' ? 'course' : slug
}

/** Spec 5, Exam slug: used as given, else built from the id when it is a UUID, else from the title. */
export function examSlug(exam: { slug?: string; id?: string; title: string }, now: Date): string {
  if (exam.slug !== undefined && exam.slug !== '') return exam.slug
  if (exam.id !== undefined && isUuid(exam.id)) return `exam-${exam.id.slice(0, 8).toLowerCase()}`
  return courseSlug(exam.title, now)
}

/** 'name', 'name-2', 'name-3' …: the first that is not taken. */
export function firstFree(slug: string, isTaken: (slug: string) => boolean): string {
  if (!isTaken(slug)) return slug
  for (let number = 2; ; number += 1) if (!isTaken(`${slug}-${number}`)) return `${slug}-${number}`
}
