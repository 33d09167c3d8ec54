import { useRef, useState, type ReactNode, type RefObject } from 'react'
import { useRevalidator } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { toastOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { useMutation } from '../../../../ui/use-mutation.ts'
import { useReordered } from '../../../../ui/use-reordered.ts'
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
import { copy } from '../batch.copy.ts'
import type { Destination, LeftCaseStudy } from '../batch.schema.ts'
import { beginDraft } from '../../drafts/drafts-client.ts'
import type { ListedQuestion, QuestionList } from '../../drafts/drafts.schema.ts'
import { questionsText, SelectionBar } from './selection-bar.tsx'

type Selection = {
  readonly shown: readonly ListedQuestion[]
  readonly chosen: ReadonlySet<string>
  readonly setChosen: (chosen: ReadonlySet<string>) => void
}

/**
 * Batch changes of questions from their list: move, send to another exam, copy, mark, export and delete, with an undo of the
 * last one. A change begins the draft if there is none.
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
  const undo = useUndo(examId)
  const focusTarget = useRef<HTMLDivElement>(null)
  const { selection, ids, isBusy, run, ...changes } = useBatchChanges({ examId, hasDraft, list, focusTarget })
  const { shown, chosen } = selection
  const choose = useChoosing(selection)
  const handleUndo = async () => {
    await undo?.run()
    offerUndo(null)
  }
  const choice = ({ id, number }: ListedQuestion) => (
    <ChoiceBox number={number} isChosen={chosen.has(id)} onChoose={(isRange) => choose(id, isRange)} />
  )
  const chosenShown = shown.filter(({ id }) => chosen.has(id))
  return (
    <>
      {/* Sticky, so that the undo stays in view however long the list is. */}
      <div ref={focusTarget} tabIndex={-1} className={undo === null ? '' : 'sticky top-16 z-10 bg-paper pt-3'}>
        {undo === null ? null : <UndoNotice sentence={undo.said} isBusy={isBusy} onUndo={() => run(handleUndo)} />}
      </div>
      {shown.length === 0 ? null : <ChooseAll {...selection} list={list} />}
      {children(shown, choice, changes.moveOne)}
      {ids.length === 0 ? null : (
        <SelectionBar
          key={ids.length}
          ids={ids}
          total={list.totalCount}
          examId={examId}
          hasDraft={hasDraft}
          isReviewed={chosenShown.length === ids.length && chosenShown.every(({ needsReview }) => needsReview)}
          isBusy={isBusy}
          changes={changes}
        />
      )}
    </>
  )
}

type BatchOptions = {
  readonly examId: string
  readonly hasDraft: boolean
  readonly list: QuestionList
  readonly focusTarget: RefObject<HTMLElement | null>
}

/** The chosen questions, and the batch changes that run on them. */
function useBatchChanges({ examId, hasDraft, list, focusTarget }: BatchOptions) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const { shown, reorder, restore } = useReordered(list.questions)
  // In the order of the exam, whatever the order of choosing.
  const ids = list.keys.filter((id) => chosen.has(id))
  const { isBusy, run } = useChange(examId, hasDraft, focusTarget, {
    // Keeps what was chosen since the change began.
    onSuccess: () => setChosen((now) => new Set([...now].filter((id) => !chosen.has(id)))),
    onFailure: restore,
  })
  const { move, send, mark, remove } = changesOf(examId, ids)
  const moveOne = (from: number, to: number) => {
    const id = reorder(from, to)[to] ?? ''
    // Downward it goes after the question at `to`, so before the next one, which may be on the next page.
    const at = list.keys.indexOf(shown[to]?.id ?? '') + (to > from ? 1 : 0)
    run(() => move([id], list.keys[at] ?? null, 'Question moved'))
  }
  const moveChosen = (place: number) => {
    const before = list.keys.filter((id) => !chosen.has(id))[place - 1] ?? null
    run(() => move(ids, before, `${questionsText(ids.length)} moved`))
  }
  return {
    selection: { shown, chosen, setChosen },
    ids,
    isBusy,
    run,
    moveOne,
    moveChosen,
    send: (to: Destination, as: 'move' | 'copy') => run(() => send(to, as)),
    mark: (needsReview: boolean) => run(() => mark(needsReview)),
    remove: () => run(remove),
  }
}

/** Runs one change at a time in the draft, and loads the list again afterwards, also after a failure. */
function useChange(
  examId: string,
  hasDraft: boolean,
  focusTarget: RefObject<HTMLElement | null>,
  { onSuccess, onFailure }: { onSuccess: () => void; onFailure: () => void },
) {
  const { revalidate } = useRevalidator()
  const pressed = useRef<Element | null>(null)
  const reload = async () => {
    await revalidate()
    // The pressed button may be gone, for example with a deleted question.
    if (pressed.current?.isConnected === false) focusTarget.current?.focus({ preventScroll: true })
  }
  return useMutation(
    async (change: () => Promise<unknown>) => {
      pressed.current = document.activeElement
      if (!hasDraft) await beginDraft(examId)
      await change()
    },
    {
      onSuccess: async () => {
        onSuccess()
        await reload()
      },
      onFailure: (error) => {
        toast(...toastOf(error))
        onFailure()
        void reload()
      },
    },
  )
}

/** The calls behind each change, with the undo that each of them offers. */
function changesOf(examId: string, ids: string[]) {
  return {
    move: async (moved: string[], before: string | null, said: string) => {
      const { former } = await moveQuestions(examId, moved, before)
      offerUndo({ examId, said, run: () => putOrder(examId, former) })
    },
    send: async ({ id: toExamId, title }: Destination, as: 'move' | 'copy') => {
      const { sent, left, former } = await sendQuestions(examId, { questionIds: ids, toExamId, as })
      const arrived = sent.map(({ to }) => to)
      const undo = async () => {
        if (as === 'copy') return removeQuestions(toExamId, arrived)
        const join = Object.fromEntries(left.map(({ questionId, caseStudyId }) => [questionId, caseStudyId]))
        await sendQuestions(toExamId, { questionIds: arrived, toExamId: examId, as: 'move', join })
        return putOrder(examId, former)
      }
      const to = toExamId === examId ? 'the same exam' : title
      const said = `${questionsText(sent.length)} ${as === 'move' ? 'moved' : 'copied'} to ${to}`
      offerUndo({ examId, said: [said, ...leftText(left)].join('. '), run: undo })
    },
    mark: async (needsReview: boolean) => {
      const { changed } = await markQuestions(examId, ids, needsReview)
      const said = `${questionsText(changed.length)} ${needsReview ? 'marked for review' : 'no longer marked for review'}`
      const run = () => markQuestions(examId, changed, !needsReview)
      offerUndo(changed.length === 0 ? null : { examId, said, run })
    },
    remove: async () => {
      const { taken } = await removeQuestions(examId, ids)
      const said = `${questionsText(taken.length)} deleted from the draft`
      offerUndo({ examId, said, run: () => restoreQuestions(examId, taken) })
    },
  }
}

/** Says of which case studies questions are no longer. */
function leftText(left: readonly LeftCaseStudy[]): string[] {
  if (left.length === 0) return []
  const titles = [...new Set(left.map(({ title }) => `"${title}"`))].join(', ')
  return [fill(copy['send.left'], { n: left.length, titles })]
}

/** Toggles a question or, with Shift, all from the one that was toggled last. */
function useChoosing({ shown, chosen, setChosen }: Selection) {
  const lastChosen = useRef<string | null>(null)
  return (id: string, isRange: boolean) => {
    const next = new Set(chosen)
    const isOn = !chosen.has(id)
    const shownIds = shown.map((question) => question.id)
    const [from, to] = [shownIds.indexOf(lastChosen.current ?? ''), shownIds.indexOf(id)].toSorted((a, b) => a - b)
    const range = isRange && from !== undefined && from >= 0 ? shownIds.slice(from, (to ?? 0) + 1) : [id]
    for (const questionId of range)
      if (isOn) next.add(questionId)
      else next.delete(questionId)
    lastChosen.current = id
    setChosen(next)
  }
}

function ChoiceBox({
  number,
  isChosen,
  onChoose,
}: {
  number: number
  isChosen: boolean
  onChoose: (isRange: boolean) => void
}) {
  return (
    <label className="flex size-11 shrink-0 items-center justify-center">
      <span className="sr-only">Choose question {number}</span>
      <input
        type="checkbox"
        checked={isChosen}
        // Shift chooses a range. The keyboard fires a click as well, so its event has `shiftKey` too.
        onChange={(event) => onChoose((event.nativeEvent as MouseEvent).shiftKey)}
        className="size-5"
      />
    </label>
  )
}

function UndoNotice({ sentence, isBusy, onUndo }: { sentence: string; isBusy: boolean; onUndo: () => void }) {
  return (
    <Notice tone="info">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <p>{sentence}.</p>
        <Button look="secondary" aria-busy={isBusy} aria-disabled={isBusy} onClick={onUndo}>
          Undo
        </Button>
        <Button look="quiet" onClick={() => offerUndo(null)}>
          Keep it so
        </Button>
      </div>
    </Notice>
  )
}

function ChooseAll({ shown, chosen, setChosen, list }: Selection & { list: QuestionList }) {
  return (
    <div className="mt-2 -ml-4 flex flex-wrap">
      <Button look="quiet" onClick={() => setChosen(chosen.size > 0 ? new Set() : new Set(shown.map(({ id }) => id)))}>
        {chosen.size > 0 ? 'Choose none' : 'Choose all on this page'}
      </Button>
      {list.pageCount > 1 && list.keys.some((id) => !chosen.has(id)) ? (
        <Button look="quiet" onClick={() => setChosen(new Set(list.keys))}>
          Choose all {list.totalCount} of the exam
        </Button>
      ) : null}
    </div>
  )
}
