import { useRef, type PointerEvent } from 'react'
import { letterOfPart } from '../parts/part-letters.ts'
import { areaFits } from './area-figures.ts'
import { AreaOverlay } from './area-overlay.tsx'
import { draggedNumbers, withCorner } from './area-drawing.ts'
import type { EditedArea, EditedHotSpot } from './hot-spot-edit.schema.ts'

/** The picture with the areas of the form. A press or a drag draws the area that is chosen; the numbers do the same. */
export function AreaCanvas({
  edited: { image, width, height, areas },
  drawn,
  onNumbers,
}: {
  edited: EditedHotSpot
  /** The area that is drawn; undefined where nothing is. */
  drawn: EditedArea | undefined
  onNumbers: (numbers: string) => void
}) {
  const from = useRef<readonly [number, number] | null>(null)
  const size = { width: Number(width) || 0, height: Number(height) || 0 }
  if (size.width === 0 || size.height === 0) return null
  const pointAt = ({ currentTarget, clientX, clientY }: PointerEvent) => {
    const box = currentTarget.getBoundingClientRect()
    const along = (at: number, start: number, length: number, pixels: number) =>
      Math.min(pixels, Math.max(0, ((at - start) / length) * pixels))
    return [along(clientX, box.left, box.width, size.width), along(clientY, box.top, box.height, size.height)] as const
  }
  const shown = areas.flatMap((area, place) => {
    const figure = {
      shape: area.shape,
      numbers: area.numbers
        .split(/[\s,]+/)
        .filter(Boolean)
        .map(Number),
    }
    const look: 'right' | 'open' = area.isRight ? 'right' : 'open'
    return areaFits(figure, size) ? [{ ...figure, id: area.key, letter: letterOfPart(place), look }] : []
  })
  return (
    <div
      className={drawn === undefined ? '' : 'cursor-crosshair touch-none'}
      onPointerDown={(event) => {
        if (drawn === undefined || event.button !== 0) return
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        if (drawn.shape === 'polygon') onNumbers(withCorner(drawn.numbers, pointAt(event)))
        else from.current = pointAt(event)
      }}
      onPointerMove={(event) => {
        if (drawn === undefined || drawn.shape === 'polygon' || from.current === null) return
        onNumbers(draggedNumbers(drawn.shape, from.current, pointAt(event)))
      }}
      onPointerUp={() => {
        from.current = null
      }}
    >
      <AreaOverlay image={image} {...size} areas={shown} onChoose={null} />
    </div>
  )
}
