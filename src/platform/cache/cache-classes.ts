/** The cache of documents made from the catalogue, such as the sitemap; the oldest is evicted first. */
export const FIRST_CACHE_TTL_MS = 60_000
export const FIRST_CACHE_ENTRIES = 100

/** The cache of each query; the least recently used result is evicted first. */
export const SECOND_CACHE_ENTRIES = 100

/** How long the result of a query may be cached, by its class. */
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
/** Classes whose results belong to one user. */
export const USER_CLASSES = ['user-courses', 'user-progress'] as const satisfies readonly CacheClass[]
export type UserClass = (typeof USER_CLASSES)[number]

/** How often a result is used changes its lifetime; a sweep evicts this share of a cache that is nearly full. */
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

/** Questions of all exams are prefetched for courses with at most this many exams. */
export const READ_AHEAD_EXAMS = 3
