import { useState, type ReactNode } from 'react'
import { useRevalidator } from 'react-router'
import { toastOf } from '../../../../platform/client.ts'
import { Button } from '../../../../ui/button.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { moveQuestions, offerUndo, putBack, putOrder, sendQuestions, takeOut, useUndo } from '../batch/client.ts'
import type { ListedQuestion, QuestionList } from '../schema.ts'

/**
 * What is done to questions of a draft from their list: put elsewhere, sent to another exam, copied, deleted; and what takes
 * the last of it back. `siblings` null: there is no draft, so there is nothing to do.
 */
export function ChosenQuestions({
  examId,
  list,
  siblings,
  children,
}: {
  examId: string
  list: QuestionList
  siblings: readonly { readonly id: string; readonly title: string }[] | null
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
  const ids = [...chosen]

  const attempt = async (act: () => Promise<void>) => {
    setBusy(true)
    try {
      await act()
      setChosen(new Set())
    } catch (error) {
      toast(...toastOf(error))
      setMoved(null)
    } finally {
      setBusy(false)
      await revalidate()
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
  const handleSend = (toExamId: string, as: 'move' | 'copy') =>
    attempt(async () => {
      const { sent, former } = await sendQuestions(examId, ids, toExamId, as)
      const to = siblings?.find(({ id }) => id === toExamId)?.title ?? 'the same exam'
      const back = async () => {
        if (as === 'copy')
          return takeOut(
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
  const handleDelete = () =>
    attempt(async () => {
      const { taken } = await takeOut(examId, ids)
      offerUndo({ examId, said: `${said(taken.length)} deleted from the draft`, run: () => putBack(examId, taken) })
    })
  const handleUndo = () =>
    attempt(async () => {
      await undo?.run()
      offerUndo(null)
    })
  const toggle = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }
  const choice = ({ id, number }: ListedQuestion) => (
    <label className="flex size-11 shrink-0 items-center justify-center">
      <span className="sr-only">Choose question {number}</span>
      <input type="checkbox" checked={chosen.has(id)} onChange={() => toggle(id)} className="size-5 accent-accent" />
    </label>
  )
  return (
    <>
      {undo === null ? null : (
        <Notice tone="info" className="mt-3">
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
      {siblings === null || shown.length === 0 ? null : (
        <Button
          look="quiet"
          className="mt-2 -ml-4"
          onClick={() => setChosen(chosen.size > 0 ? new Set() : new Set(shown.map(({ id }) => id)))}
        >
          {chosen.size > 0 ? 'Choose none' : 'Choose all on this page'}
        </Button>
      )}
      {children(shown, choice, handleMove)}
      {siblings === null || chosen.size === 0 ? null : (
        <ChosenBar
          key={ids.length}
          count={ids.length}
          total={list.totalCount}
          examId={examId}
          siblings={siblings}
          isBusy={isBusy}
          onPlace={(place) => void handlePlace(place)}
          onSend={(to, as) => void handleSend(to, as)}
          onDelete={() => void handleDelete()}
        />
      )}
    </>
  )
}

const said = (count: number) => `${count} ${count === 1 ? 'question' : 'questions'}`

function ChosenBar({
  count,
  total,
  examId,
  siblings,
  isBusy,
  onPlace,
  onSend,
  onDelete,
}: {
  count: number
  total: number
  examId: string
  siblings: readonly { readonly id: string; readonly title: string }[]
  isBusy: boolean
  onPlace: (place: number) => void
  onSend: (toExamId: string, as: 'move' | 'copy') => void
  onDelete: () => void
}) {
  const [target, setTarget] = useState(siblings[0]?.id ?? examId)
  const [place, setPlace] = useState('')
  const wanted = /^\d{1,4}$/.test(place) ? Number(place) : 0
  const box = 'min-h-11 rounded-md border border-line-strong bg-surface px-3 text-base text-ink'
  return (
    <div
      role="group"
      aria-label="Chosen questions"
      className="sticky bottom-0 z-10 mt-3 flex flex-wrap items-center gap-x-5 gap-y-2 rounded-md border border-line-strong bg-surface px-4 py-3 text-sm"
    >
      <p role="status" className="nums font-semibold">
        {said(count)} chosen
      </p>
      <form
        className="flex items-center gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (wanted >= 1) onPlace(wanted)
        }}
      >
        <label className="flex items-center gap-2">
          To place
          <input
            value={place}
            inputMode="numeric"
            placeholder={`1-${total}`}
            onChange={(event) => setPlace(event.target.value)}
            className={`${box} w-24`}
          />
        </label>
        <Button type="submit" look="secondary" disabled={isBusy || wanted < 1}>
          Move
        </Button>
      </form>
      <div className="flex flex-wrap items-center gap-2">
        <label className="flex min-w-0 items-center gap-2">
          Exam
          <select value={target} onChange={(event) => setTarget(event.target.value)} className={`${box} max-w-60`}>
            {siblings.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
            <option value={examId}>This exam</option>
          </select>
        </label>
        <Button look="secondary" disabled={isBusy || target === examId} onClick={() => onSend(target, 'move')}>
          Move there
        </Button>
        <Button look="secondary" disabled={isBusy} onClick={() => onSend(target, 'copy')}>
          Copy there
        </Button>
      </div>
      <Button look="danger" disabled={isBusy} onClick={onDelete}>
        Delete
      </Button>
    </div>
  )
}
