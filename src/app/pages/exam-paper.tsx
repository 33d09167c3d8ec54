/** The home page's illustration of an exam question. */
export default function ExamPaper() {
  return (
    <svg aria-hidden="true" viewBox="0 0 440 330" className="hidden w-full desktop:block">
      <rect x="28" y="18" width="384" height="300" rx="12" className="fill-sunken" />
      <rect x="14" y="8" width="384" height="300" rx="12" className="fill-paper stroke-line" strokeWidth="1.5" />
      <text x="38" y="44" fontSize="13" fontWeight="600" className="fill-soft">
        Question 12 of 65
      </text>
      <g className="stroke-soft" fill="none" strokeWidth="1.6">
        <circle cx="322" cy="39.5" r="7" />
        <path d="M322 35.500v4l2.6 1.6" strokeLinecap="round" />
      </g>
      <text x="336" y="44" fontSize="13" fontWeight="600" className="fill-soft nums">
        71:08
      </text>
      <rect x="38" y="58" width="336" height="4" rx="2" className="fill-sunken" />
      <rect x="38" y="58" width="62" height="4" rx="2" className="fill-accent" />
      <g className="fill-ink" opacity="0.82">
        <rect x="38" y="82" width="330" height="8" rx="4" />
        <rect x="38" y="100" width="312" height="8" rx="4" />
        <rect x="38" y="118" width="190" height="8" rx="4" />
      </g>
      <OptionRow y={144} width={210} />
      <OptionRow y={182} width={248} isChosen />
      <OptionRow y={220} width={176} />
      <OptionRow y={258} width={226} />
    </svg>
  )
}

function OptionRow({ y, width, isChosen = false }: { y: number; width: number; isChosen?: boolean }) {
  return (
    <g>
      <rect
        x="38"
        y={y}
        width="336"
        height="30"
        rx="7"
        strokeWidth="1.4"
        className={isChosen ? 'fill-accent-soft stroke-accent' : 'fill-surface stroke-line'}
      />
      <circle
        cx="56"
        cy={y + 15}
        r="6.5"
        fill="none"
        strokeWidth="1.6"
        className={isChosen ? 'stroke-accent' : 'stroke-line-strong'}
      />
      {isChosen ? <circle cx="56" cy={y + 15} r="3.4" className="fill-accent" /> : null}
      <rect
        x="74"
        y={y + 11}
        width={width}
        height="8"
        rx="4"
        className={isChosen ? 'fill-accent' : 'fill-line-strong'}
        opacity={isChosen ? 0.9 : 0.55}
      />
    </g>
  )
}
