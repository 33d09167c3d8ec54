import { isUuid } from './ids.ts'

/**
 * A course's slug from its title: lower-case letters, digits and single hyphens. An empty or numeric slug becomes
 * item-{timestamp}; one that starts with a digit gets the prefix item-.
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

/** A slug for a row without one, by a looser rule; 'course' when nothing is left. */
export function fallbackSlug(title: string): string {
  const slug = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9\s-]/g, '')
    .trim()
    .replaceAll(/\s+/g, '-')
  return slug === '' ? 'course' : slug
}

/** An exam's own slug, else one from its id when that is a UUID, else one from its title. */
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
