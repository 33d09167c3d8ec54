import { Markdown } from '../../../../ui/markdown-text.tsx'

/** The text of a part that a learner may cross out. */
export function PartText({ text, isStruck }: { text: string; isStruck: boolean }) {
  return (
    <>
      <span className={isStruck ? 'text-soft line-through' : ''}>
        <Markdown text={text} as="phrasing" />
      </span>
      {isStruck ? <span className="sr-only">(struck out)</span> : null}
    </>
  )
}
