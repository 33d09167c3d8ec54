/** Spec 9, the first cache: documents made from the catalogue; the oldest goes first. */
export const FIRST_CACHE_TTL_MS = 60_000
export const FIRST_CACHE_ENTRIES = 100

/** Spec 9, the second cache: what was read from the catalogue; what was used least recently goes first. */
export const SECOND_CACHE_ENTRIES = 100

/** Spec 9: for how long what was read may be kept, by what it is. */
export const LIFETIMES_MS = {
  default: 300_000,
  'all-courses': 600_000,
  course: 900_000,
  exam: 900_000,
  'user-courses': 600_000,
  'course-detail': 900_000,
  'exam-data': 1_200_000,
  'search-results': 300_000,
  'user-progress': 120_000,
  analytics: 1_800_000,
} as const
export type CacheClass = keyof typeof LIFETIMES_MS
/** Kept for one person. */
export const USER_CLASSES = ['user-courses', 'user-progress'] as const satisfies readonly CacheClass[]
export type UserClass = (typeof USER_CLASSES)[number]

/** Spec 9: how use changes a lifetime, and what a sweep takes. */
export const ADAPTIVE_TTL = {
  entries: SECOND_CACHE_ENTRIES,
  hotAbove: 10,
  hotFactor: 2,
  coldBelow: 2,
  coldFactor: 0.5,
  sweepEveryMs: 300_000,
  sweepAbove: 80,
  sweepPercent: 20,
} as const

/** Spec 9: the exams' questions are read ahead for courses with at most this many exams. */
export const READ_AHEAD_EXAMS = 3
