import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { fill } from '../../../../lib/failure.ts'
import { inputLook } from '../../../../ui/labelled.tsx'
import { Markdown } from '../../../../ui/markdown-text.tsx'
import { MAX_WRITTEN_LENGTH, WRITTEN_FIELD, writtenText } from './written-answer.ts'
import { copy } from './written.copy.ts'

/** An answer that is written has no parts that a key of the exam could name. */
export const withoutKeys = { answerByKey: () => undefined, struckByKey: () => null }

/**
 * A question that is answered in a text field. The answer is the text as it is typed. A number has the usual keyboard too: that of
 * digits has no minus on some telephones.
 */
export function WrittenAnswerForm({
  stem,
  text,
  unit = '',
  note = null,
  isFixed,
  isRight,
  formId,
  onText,
  children,
}: {
  stem: string
  text: string
  /** Stands beside the field. */
  unit?: string
  /** What is odd about the text, or how it is understood; not shown while it is being typed. */
  note?: string | null
  isFixed: boolean
  /** Null where the answer key is not shown. */
  isRight: boolean | null
  formId: string | undefined
  onText: (text: string | null) => void
  /** What stands below the field once the answer is checked. */
  children: ReactNode
}) {
  const id = useId()
  const { isTyping, handleBlur, handleType } = useTyping()
  const shownNote = isTyping || isFixed ? null : note
  const described = [unit === '' ? null : `${id}-unit`, shownNote === null ? null : `${id}-note`].filter(
    (one) => one !== null,
  )
  return (
    <fieldset className="min-w-0">
      <legend className="w-full max-w-read text-lg">
        <Markdown text={stem} as="phrasing" />
      </legend>
      <div className="mt-5 max-w-md">
        <label htmlFor={id} className="mb-1 block text-sm font-semibold text-accent">
          {copy['answer.label']}
        </label>
        <div className="flex items-center gap-3">
          <input
            id={id}
            type="text"
            className={`${inputLook} nums min-h-12 min-w-0 flex-1 ${lookOf(isRight)}`}
            name={formId === undefined ? undefined : WRITTEN_FIELD}
            form={formId}
            value={text}
            readOnly={isFixed}
            maxLength={MAX_WRITTEN_LENGTH}
            autoComplete="off"
            autoCapitalize="off"
            autoCorrect="off"
            spellCheck={false}
            aria-describedby={described.length === 0 ? undefined : described.join(' ')}
            onBlur={handleBlur}
            onChange={({ target }) => {
              handleType()
              onText(writtenText(target.value))
            }}
          />
          {unit === '' ? null : (
            <span id={`${id}-unit`} className="max-w-2/5 shrink-0 wrap-anywhere">
              <span className="sr-only">{fill(copy['answer.unit'], { unit })}</span>
              <span aria-hidden="true">{unit}</span>
            </span>
          )}
        </div>
        {/* Always there: what comes with its text is not read out. */}
        <p id={`${id}-note`} role="status" className={shownNote === null ? '' : 'mt-1.5 text-sm text-soft'}>
          {shownNote}
        </p>
        {children}
      </div>
    </fieldset>
  )
}

/**
 * Whether the field is being typed into. A press elsewhere takes the focus away when it begins, and ends typing when it is over: a note
 * that appeared between would move the pressed button from under the pointer.
 */
function useTyping() {
  const [isTyping, setIsTyping] = useState(false)
  const isPressed = useRef(false)
  const hasLeft = useRef(false)
  useEffect(() => {
    if (!isTyping) return
    // Outside: presses anywhere on the page.
    const handlePress = () => {
      isPressed.current = true
    }
    const handleRelease = () => {
      isPressed.current = false
      // The click comes after the release.
      if (hasLeft.current) setTimeout(() => setIsTyping(false))
    }
    window.addEventListener('pointerdown', handlePress, true)
    window.addEventListener('pointerup', handleRelease, true)
    window.addEventListener('pointercancel', handleRelease, true)
    return () => {
      isPressed.current = false
      window.removeEventListener('pointerdown', handlePress, true)
      window.removeEventListener('pointerup', handleRelease, true)
      window.removeEventListener('pointercancel', handleRelease, true)
    }
  }, [isTyping])
  return {
    isTyping,
    handleBlur() {
      hasLeft.current = true
      if (!isPressed.current) setIsTyping(false)
    },
    handleType() {
      hasLeft.current = false
      setIsTyping(true)
    },
  }
}

function lookOf(isRight: boolean | null): string {
  if (isRight === null) return ''
  return isRight ? 'border-good bg-good-soft' : 'border-bad bg-bad-soft'
}
