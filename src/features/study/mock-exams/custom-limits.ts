/** Apart from the schema, which the page does not load. */
export const CUSTOM_SOURCES = ['missed', 'flagged', 'unseen'] as const
export const CUSTOM_LIMITS = { count: 200, minutes: 480 } as const
