import { imagesIn } from '../../image-addresses.ts'
import { centerOf, type AreaFigure } from './area-figures.ts'

export type OverlaidArea = AreaFigure & {
  readonly id: string
  readonly letter: string
  readonly look: 'open' | 'chosen' | 'right' | 'wrong' | 'struck'
}

const looks: Record<OverlaidArea['look'], string> = {
  open: 'fill-accent/5 stroke-accent/70 hover:fill-accent/20',
  chosen: 'fill-accent/30 stroke-accent',
  right: 'fill-good/25 stroke-good',
  wrong: 'fill-bad/25 stroke-bad',
  struck: 'fill-transparent stroke-line-strong [stroke-dasharray:4_4]',
}

/**
 * The image with its areas drawn over it, each with its letter. For eyes and pointers: what it shows and does stands in the list of
 * names too.
 * @param onChoose null where nothing can be chosen
 */
export function AreaOverlay({
  image,
  width,
  height,
  areas,
  onChoose,
}: {
  image: string
  width: number
  height: number
  areas: readonly OverlaidArea[]
  onChoose: ((areaId: string) => void) | null
}) {
  const [shown] = imagesIn(image)
  if (shown === undefined) return null
  return (
    <div className="relative mt-4 max-w-read overflow-hidden rounded-md border border-line bg-surface">
      <img src={shown.address} alt={shown.alt} width={width} height={height} className="block h-auto w-full" />
      <svg aria-hidden="true" viewBox={`0 0 ${width} ${height}`} className="absolute inset-0 size-full">
        {areas.map((area) => (
          <g
            key={area.id}
            data-area={area.id}
            onClick={onChoose === null ? undefined : () => onChoose(area.id)}
            className={onChoose === null ? '' : 'cursor-pointer'}
          >
            <Figure
              {...area}
              className={`transition-colors duration-150 [vector-effect:non-scaling-stroke] ${looks[area.look]}`}
            />
            <Letter {...area} size={Math.max(width, height) / 22} />
          </g>
        ))}
      </svg>
    </div>
  )
}

function Figure({ shape, numbers, className }: AreaFigure & { className: string }) {
  const [a = 0, b = 0, c = 0, d = 0] = numbers
  const shared = { className, strokeWidth: 2 }
  if (shape === 'rect') return <rect x={a} y={b} width={c - a} height={d - b} rx={2} {...shared} />
  if (shape === 'circle') return <circle cx={a} cy={b} r={c} {...shared} />
  return <polygon points={numbers.join(' ')} {...shared} />
}

/** The letter on a small plate, so that it can be read on any picture. */
function Letter({ letter, size, ...figure }: OverlaidArea & { size: number }) {
  const [x, y] = centerOf(figure)
  return (
    <>
      <circle cx={x} cy={y} r={size * 0.8} className="fill-surface stroke-line-strong" strokeWidth={size / 16} />
      <text
        x={x}
        y={y}
        fontSize={size}
        textAnchor="middle"
        dominantBaseline="central"
        className="fill-ink font-semibold"
      >
        {letter}
      </text>
    </>
  )
}
