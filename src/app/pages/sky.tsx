/** The altocumulus behind the head of a page: rows of cloudlets that grow paler to the left, where the words are. */
export function Sky() {
  return (
    <svg
      aria-hidden="true"
      className="pointer-events-none absolute inset-y-0 right-0 h-full w-full text-cloud desktop:w-3/4"
      preserveAspectRatio="none"
    >
      <defs>
        <pattern id="cloudlets" width="36" height="56" patternUnits="userSpaceOnUse">
          <circle cx="9" cy="14" r="7" fill="none" stroke="currentColor" strokeWidth="1.5" />
          <circle cx="27" cy="42" r="7" fill="none" stroke="currentColor" strokeWidth="1.5" />
        </pattern>
        {/* The ground of the head above the cloudlets: a mask would draw all of them twice. */}
        <linearGradient id="haze">
          <stop offset="0.1" className="[stop-color:var(--surface)]" />
          <stop offset="1" className="[stop-color:var(--surface)]" stopOpacity="0" />
        </linearGradient>
      </defs>
      <rect width="100%" height="100%" fill="url(#cloudlets)" />
      <rect width="100%" height="100%" fill="url(#haze)" />
    </svg>
  )
}
