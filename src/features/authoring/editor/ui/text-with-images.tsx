import { useRef, useState, type ClipboardEvent, type ComponentProps, type DragEvent, type RefObject } from 'react'
import { Failure } from '../../../../lib/failure.ts'
import { messageOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { TextArea } from '../../../../ui/text-area.tsx'
import { sendImage } from '../../../catalogue/images/images-client.ts'
import { copy as imageCopy } from '../../../catalogue/images/images.copy.ts'
import { imageMarkdown, withInserted } from '../question-editor.ts'
import { pluralOf } from '../../../../lib/text.ts'

type Status = { readonly kind: 'sending' | 'failed' | 'noted'; readonly sentence: string }

/** A text field that accepts pasted, dropped or chosen images. They are stored on the server at once. */
export function TextWithImages({
  value,
  onText,
  hasButton = false,
  ...rest
}: Omit<ComponentProps<typeof TextArea>, 'value' | 'onChange'> & {
  value: string
  /** `isTyped` is true for keyboard input, so that continued typing is one undo step. */
  onText: (text: string, isTyped: boolean) => void
  hasButton?: boolean
}) {
  const area = useRef<HTMLTextAreaElement>(null)
  const { status, insert } = useImageInsertion(area, value, (text) => onText(text, false))
  const insertFrom = (event: ClipboardEvent | DragEvent, data: DataTransfer) => {
    if (data.files.length === 0) return
    event.preventDefault()
    void insert([...data.files])
  }
  return (
    <div className="min-w-0">
      <TextArea
        {...rest}
        ref={area}
        value={value}
        onChange={(event) => onText(event.target.value, true)}
        onPaste={(event) => insertFrom(event, event.clipboardData)}
        onDragOver={(event) => {
          if (event.dataTransfer.types.includes('Files')) event.preventDefault()
        }}
        onDrop={(event) => insertFrom(event, event.dataTransfer)}
      />
      {hasButton ? <ImageButton label={rest.label} onChoose={(files) => void insert(files)} /> : null}
      {status === null ? null : (
        <p
          role={status.kind === 'failed' ? 'alert' : 'status'}
          className={`mt-1 text-sm ${status.kind === 'failed' ? 'text-bad' : 'text-soft'}`}
        >
          {status.sentence}
        </p>
      )}
    </div>
  )
}

function ImageButton({ label, onChoose }: { label: string; onChoose: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button look="quiet" className="-ml-4" onClick={() => input.current?.click()}>
        Add an image…
      </Button>
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/webp,image/gif"
        aria-label={`Image for: ${label}`}
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])]
          event.target.value = ''
          if (files.length > 0) onChoose(files)
        }}
      />
    </>
  )
}

/** Sends images to the server and inserts their Markdown where the cursor was when they came. */
function useImageInsertion(area: RefObject<HTMLTextAreaElement | null>, value: string, onText: (text: string) => void) {
  const [status, setStatus] = useState<Status | null>(null)
  const insert = async (files: readonly File[]) => {
    const images = files.filter(({ type }) => type.startsWith('image/'))
    if (images.length === 0) return setStatus({ kind: 'failed', sentence: 'Only images can be put into a text.' })
    const [from, to] = [area.current?.selectionStart ?? value.length, area.current?.selectionEnd ?? value.length]
    setStatus({ kind: 'sending', sentence: pluralOf(images.length, 'Sending the image...', 'Sending the images...') })
    try {
      const pieces: string[] = []
      let isAnyAnimated = false
      for (const image of images) {
        const { address, isStill } = await sendImage(image)
        isAnyAnimated ||= !isStill
        pieces.push(imageMarkdown(address, image.name))
      }
      // The field may have changed while the images were sent.
      const now = area.current?.value ?? value
      onText(withInserted(now, pieces.join('\n\n'), Math.min(from, now.length), Math.min(to, now.length)))
      setStatus(isAnyAnimated ? { kind: 'noted', sentence: imageCopy['picture.moving'] } : null)
    } catch (error) {
      setStatus({ kind: 'failed', sentence: error instanceof Failure ? error.message : messageOf(error) })
    }
  }
  return { status, insert }
}
