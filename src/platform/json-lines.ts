/** The content type of a reply in lines: each is a JSON object with a part of it. */
export const LINES_TYPE = 'application/x-ndjson'
