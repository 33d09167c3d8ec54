import { useRef, useState, type ComponentProps } from 'react'
import { Failure } from '../../../../lib/failure.ts'
import { messageOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { TextArea } from '../../../../ui/text-area.tsx'
import { sendImage } from '../../../catalogue/images/images-client.ts'
import { copy as imageCopy } from '../../../catalogue/images/images.copy.ts'
import { imageMarkdown, withInserted } from '../question-editor.ts'

/** A text into which pictures are pasted or dropped, or chosen as files; they are kept on the server at once. */
export function TextWithImages({
  value,
  onText,
  hasButton = false,
  ...rest
}: Omit<ComponentProps<typeof TextArea>, 'value' | 'onChange'> & {
  value: string
  /** `isTyped`: with the keyboard, so that typing on is one step. */
  onText: (text: string, isTyped: boolean) => void
  hasButton?: boolean
}) {
  const area = useRef<HTMLTextAreaElement>(null)
  const file = useRef<HTMLInputElement>(null)
  const [state, setState] = useState<{ readonly kind: 'sends' | 'failed' | 'told'; readonly said: string } | null>(null)

  const keep = async (files: readonly File[]) => {
    const images = files.filter(({ type }) => type.startsWith('image/'))
    if (images.length === 0) return setState({ kind: 'failed', said: 'Only pictures can be put into a text.' })
    const [from, to] = [area.current?.selectionStart ?? value.length, area.current?.selectionEnd ?? value.length]
    setState({ kind: 'sends', said: images.length === 1 ? 'Sending the picture...' : 'Sending the pictures...' })
    try {
      const pieces: string[] = []
      let hasMoving = false
      for (const image of images) {
        const { address, isStill } = await sendImage(image)
        hasMoving ||= !isStill
        pieces.push(imageMarkdown(address, image.name))
      }
      // What was typed meanwhile stays.
      const now = area.current?.value ?? value
      onText(withInserted(now, pieces.join('\n\n'), Math.min(from, now.length), Math.min(to, now.length)), false)
      setState(hasMoving ? { kind: 'told', said: imageCopy['picture.moving'] } : null)
    } catch (error) {
      setState({ kind: 'failed', said: error instanceof Failure ? error.message : messageOf(error) })
    }
  }
  const filesOf = (data: DataTransfer) => [...data.files]
  return (
    <div className="min-w-0">
      <TextArea
        {...rest}
        ref={area}
        value={value}
        onChange={(event) => onText(event.target.value, true)}
        onPaste={(event) => {
          const files = filesOf(event.clipboardData)
          if (files.length === 0) return
          event.preventDefault()
          void keep(files)
        }}
        onDragOver={(event) => {
          if (event.dataTransfer.types.includes('Files')) event.preventDefault()
        }}
        onDrop={(event) => {
          const files = filesOf(event.dataTransfer)
          if (files.length === 0) return
          event.preventDefault()
          void keep(files)
        }}
      />
      {hasButton ? (
        <>
          <Button look="quiet" className="-ml-4" onClick={() => file.current?.click()}>
            Add a picture…
          </Button>
          <input
            ref={file}
            type="file"
            accept="image/png,image/jpeg,image/webp,image/gif"
            aria-label={`Picture for: ${rest.label}`}
            tabIndex={-1}
            className="sr-only"
            onChange={(event) => {
              const files = [...(event.target.files ?? [])]
              event.target.value = ''
              if (files.length > 0) void keep(files)
            }}
          />
        </>
      ) : null}
      {state === null ? null : (
        <p
          role={state.kind === 'failed' ? 'alert' : 'status'}
          className={`mt-1 text-sm ${state.kind === 'failed' ? 'text-bad' : 'text-soft'}`}
        >
          {state.said}
        </p>
      )}
    </div>
  )
}
