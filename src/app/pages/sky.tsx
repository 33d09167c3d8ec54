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
        <linearGradient id="haze">
          <stop offset="0.1" stopColor="black" />
          <stop offset="1" stopColor="white" />
        </linearGradient>
        <mask id="clear">
          <rect width="100%" height="100%" fill="url(#haze)" />
        </mask>
      </defs>
      <rect width="100%" height="100%" fill="url(#cloudlets)" mask="url(#clear)" />
    </svg>
  )
}
