import { useRef, useState, type ReactNode } from 'react'
import { useRevalidator } from 'react-router'
import { toastOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import {
  markQuestions,
  moveQuestions,
  offerUndo,
  restoreQuestions,
  putOrder,
  sendQuestions,
  removeQuestions,
  useUndo,
} from '../batch-client.ts'
import type { Destination } from '../batch.schema.ts'
import { beginDraft } from '../../drafts/drafts-client.ts'
import type { ListedQuestion, QuestionList } from '../../drafts/drafts.schema.ts'
import { SelectionBar, said } from './selection-bar.tsx'

/**
 * What is done to questions from their list: put elsewhere, sent to another exam, copied, marked, exported, deleted; and what
 * takes the last of it back. What changes something begins the draft where there is none.
 */
export function SelectedQuestions({
  examId,
  hasDraft,
  list,
  children,
}: {
  examId: string
  hasDraft: boolean
  list: QuestionList
  children: (
    shown: readonly ListedQuestion[],
    choice: (question: ListedQuestion) => ReactNode,
    move: (from: number, to: number) => void,
  ) => ReactNode
}) {
  const { revalidate } = useRevalidator()
  const undo = useUndo(examId)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [moved, setMoved] = useState<{ readonly over: QuestionList; readonly ids: string[] } | null>(null)
  const [isBusy, setBusy] = useState(false)
  const shown =
    moved?.over === list ? moved.ids.flatMap((id) => list.questions.find((one) => one.id === id) ?? []) : list.questions
  // In the order of the exam, whatever the order of choosing.
  const ids = list.keys.filter((id) => chosen.has(id))
  const lastChosen = useRef<string | null>(null)
  const place = useRef<HTMLDivElement>(null)

  const attempt = async (act: () => Promise<void>) => {
    setBusy(true)
    try {
      if (!hasDraft) await beginDraft(examId)
      await act()
      setChosen(new Set())
    } catch (error) {
      toast(...toastOf(error))
      setMoved(null)
    } finally {
      setBusy(false)
      await revalidate()
      // What was pressed may be gone by now, as are questions that were deleted.
      if (document.activeElement === document.body) place.current?.focus({ preventScroll: true })
    }
  }
  const handleMove = (from: number, to: number) => {
    const next = shown.map(({ id }) => id)
    const [id = ''] = next.splice(from, 1)
    next.splice(to, 0, id)
    setMoved({ over: list, ids: next })
    // Going down it stands behind the one that is there, so before the one after it, which may be on the next page.
    const at = list.keys.indexOf(shown[to]?.id ?? '') + (to > from ? 1 : 0)
    void attempt(async () => {
      const { former } = await moveQuestions(examId, [id], list.keys[at] ?? null)
      offerUndo({ examId, said: 'Question moved', run: () => putOrder(examId, former) })
    })
  }
  const handlePlace = (place: number) =>
    attempt(async () => {
      const { former } = await moveQuestions(examId, ids, list.keys.filter((id) => !chosen.has(id))[place - 1] ?? null)
      offerUndo({ examId, said: `${said(ids.length)} moved`, run: () => putOrder(examId, former) })
    })
  const handleSend = ({ id: toExamId, title }: Destination, as: 'move' | 'copy') =>
    attempt(async () => {
      const { sent, former } = await sendQuestions(examId, ids, toExamId, as)
      const to = toExamId === examId ? 'the same exam' : title
      const back = async () => {
        if (as === 'copy')
          return removeQuestions(
            toExamId,
            sent.map((one) => one.to),
          )
        await sendQuestions(
          toExamId,
          sent.map((one) => one.to),
          examId,
          'move',
        )
        return putOrder(examId, former)
      }
      offerUndo({ examId, said: `${said(sent.length)} ${as === 'move' ? 'moved' : 'copied'} to ${to}`, run: back })
    })
  const handleMark = (needsReview: boolean) =>
    attempt(async () => {
      const { changed } = await markQuestions(examId, ids, needsReview)
      const told = needsReview ? 'marked for review' : 'no longer marked for review'
      const run = () => markQuestions(examId, changed, !needsReview)
      offerUndo(changed.length === 0 ? null : { examId, said: `${said(changed.length)} ${told}`, run })
    })
  const handleDelete = () =>
    attempt(async () => {
      const { taken } = await removeQuestions(examId, ids)
      offerUndo({
        examId,
        said: `${said(taken.length)} deleted from the draft`,
        run: () => restoreQuestions(examId, taken),
      })
    })
  const handleUndo = () =>
    attempt(async () => {
      await undo?.run()
      offerUndo(null)
    })
  const choose = (id: string, isRange: boolean) => {
    const next = new Set(chosen)
    const isOn = !chosen.has(id)
    const shownIds = shown.map((one) => one.id)
    const [from, to] = [shownIds.indexOf(lastChosen.current ?? ''), shownIds.indexOf(id)].toSorted((a, b) => a - b)
    const range = isRange && from !== undefined && from >= 0 ? shownIds.slice(from, (to ?? 0) + 1) : [id]
    for (const one of range)
      if (isOn) next.add(one)
      else next.delete(one)
    lastChosen.current = id
    setChosen(next)
  }
  const choice = ({ id, number }: ListedQuestion) => (
    <label className="flex size-11 shrink-0 items-center justify-center">
      <span className="sr-only">Choose question {number}</span>
      <input
        type="checkbox"
        checked={chosen.has(id)}
        // With Shift everything from the one before: a click says so, also one made by the keyboard.
        onChange={(event) => choose(id, (event.nativeEvent as MouseEvent).shiftKey)}
        className="size-5 accent-accent"
      />
    </label>
  )
  const chosenShown = shown.filter(({ id }) => chosen.has(id))
  return (
    <>
      {/* However long the list is, what was done is seen and can be undone. */}
      <div ref={place} tabIndex={-1} className={undo === null ? '' : 'sticky top-16 z-10 bg-paper pt-3'}>
        {undo === null ? null : (
          <Notice tone="info">
            <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
              <p>{undo.said}.</p>
              <Button look="secondary" disabled={isBusy} onClick={() => void handleUndo()}>
                Undo
              </Button>
              <Button look="quiet" onClick={() => offerUndo(null)}>
                Keep it so
              </Button>
            </div>
          </Notice>
        )}
      </div>
      {shown.length === 0 ? null : (
        <div className="mt-2 -ml-4 flex flex-wrap">
          <Button
            look="quiet"
            onClick={() => setChosen(chosen.size > 0 ? new Set() : new Set(shown.map(({ id }) => id)))}
          >
            {chosen.size > 0 ? 'Choose none' : 'Choose all on this page'}
          </Button>
          {list.pageCount > 1 && ids.length < list.keys.length ? (
            <Button look="quiet" onClick={() => setChosen(new Set(list.keys))}>
              Choose all {list.totalCount} of the exam
            </Button>
          ) : null}
        </div>
      )}
      {children(shown, choice, handleMove)}
      {ids.length === 0 ? null : (
        <SelectionBar
          key={ids.length}
          ids={ids}
          total={list.totalCount}
          examId={examId}
          hasDraft={hasDraft}
          isReviewed={chosenShown.length === ids.length && chosenShown.every(({ needsReview }) => needsReview)}
          isBusy={isBusy}
          onPlace={(place) => void handlePlace(place)}
          onSend={(to, as) => void handleSend(to, as)}
          onMark={(needsReview) => void handleMark(needsReview)}
          onDelete={() => void handleDelete()}
        />
      )}
    </>
  )
}
