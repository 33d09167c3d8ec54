/** API replies name the server's build, so that a page of an older build can say that it is outdated. */
export const BUILD_HEADER = 'x-build'
/** The name of the meta element that holds the page's own build. */
export const BUILD_META = 'build'
/** Our own pages send this header with `TODAY`: they know reply fields by their current names only. */
export const NAMES_HEADER = 'x-names'
/** A new value for each build that renames a field or its values: pages of earlier builds are then served the former names. */
export const TODAY = '2026-11-23'
