/** Replies of the API name the build of the pages that the server has, so that an older page can say that it is old. */
export const BUILD_HEADER = 'x-build'
/** A page names its own in a meta element of this name. */
/** Our own pages say with this header that they know a reply's fields by today's names. */
export const NAMES_HEADER = 'x-names'
export const TODAY = 'today'
export const BUILD_META = 'build'
