import { useEffect, useState, type RefObject } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import { adminPaths } from '../../../lib/admin-paths.ts'
import { CallFailed, messageOf } from '../../../platform/api-client.ts'
import { typedKey } from '../../../platform/unsaved-text-client.ts'
import { toast } from '../../../ui/toasts.tsx'
import { useFirstProblem } from '../../../ui/use-first-problem.ts'
import { useMutation } from '../../../ui/use-mutation.ts'
import { copy as draftsCopy } from '../drafts/drafts.copy.ts'
import { useKeptForm } from '../drafts/ui/use-kept-form.ts'
import { CaseStudyForm, emptyTab, toCaseStudyEdit, toCaseStudyForm } from './case-study-form.ts'
import { addCaseStudy, changeCaseStudy, deleteCaseStudy } from './draft-case-studies-client.ts'
import { copy } from './draft-case-studies.copy.ts'
import type { CaseStudyView } from './draft-case-studies.schema.ts'

export type CaseStudyEditorProps = {
  readonly examId: string
  readonly adminId: string
  /** Null for a new case study. */
  readonly stored: CaseStudyView | null
}

type Save = { readonly isStaying: boolean; readonly version?: number; readonly onSettled?: (isSaved: boolean) => void }

export const newTabId = () => `t-${crypto.randomUUID().slice(0, 8)}`

/** The form of a case study: its text on the device, saving, deleting and leaving. */
export function useCaseStudyEditor(props: CaseStudyEditorProps, form: RefObject<HTMLFormElement | null>) {
  const { examId, adminId, stored } = props
  const [empty] = useState<CaseStudyForm>(() => ({
    id: `cs-${crypto.randomUUID()}`,
    title: '',
    tabs: [emptyTab(newTabId())],
  }))
  const before = stored === null ? empty : toCaseStudyForm(stored.caseStudy)
  const key = typedKey(adminId, `case-study.${examId}.${stored?.caseStudy.id ?? 'new'}`)
  const kept = useKeptForm({ key, base: stored?.version ?? null }, CaseStudyForm, before)
  // The version that the typed text changes: the page may load a newer one meanwhile.
  const [base, setBase] = useState<number | null>(null)
  const [savedText, setSavedText] = useState<string | null>(null)
  const text = JSON.stringify(kept.values)
  const hasUnsaved = text !== JSON.stringify(before) && text !== savedText
  const leaveTo = useLeavingWhenSaved(hasUnsaved)
  const { revalidate } = useRevalidator()
  const saving = useMutation(
    async ({ version = base ?? stored?.version }: Save) => {
      const sent = kept.values
      const edit = toCaseStudyEdit(sent)
      const saved = await (version === undefined
        ? addCaseStudy(examId, edit, sent.id)
        : changeCaseStudy(examId, stored?.caseStudy.id ?? sent.id, edit, version))
      return { sent, saved }
    },
    {
      onSuccess({ sent, saved }, { isStaying, onSettled }) {
        toast('success', draftsCopy['editor.saved'])
        kept.discard()
        setSavedText(JSON.stringify(sent))
        setBase(saved.version)
        if (!isStaying) leaveTo(adminPaths.exam(examId))
        else if (stored === null) leaveTo(adminPaths.caseStudy(examId, saved.caseStudy.id))
        else void revalidate()
        onSettled?.(true)
      },
      onFailure(error, { onSettled }) {
        showUnexpected(error)
        onSettled?.(false)
      },
    },
  )
  const deleting = useMutation((view: CaseStudyView) => deleteCaseStudy(examId, view.caseStudy.id, view.version), {
    onSuccess() {
      toast('success', copy['editor.deleted'])
      kept.discard()
      setSavedText(text)
      leaveTo(adminPaths.exam(examId))
    },
    onFailure: showUnexpected,
  })
  const failure = saving.failure instanceof CallFailed ? saving.failure : null
  useFirstProblem(form, failure)
  return {
    stored,
    values: kept.values,
    kept,
    hasUnsaved,
    failure,
    saving,
    deleting,
    change(values: CaseStudyForm) {
      if (base === null && stored !== null) setBase(stored.version)
      kept.change(values)
    },
    save: (isStaying: boolean) => saving.run({ isStaying }),
    saveAndReport: () =>
      saving.isBusy
        ? Promise.resolve(false)
        : new Promise<boolean>((onSettled) => saving.run({ isStaying: true, onSettled })),
    overwrite: (theirs: CaseStudyView) => saving.run({ isStaying: false, version: theirs.version }),
    /** The form shows what somebody else stored. */
    reload(theirs: CaseStudyView) {
      const shown = toCaseStudyForm(theirs.caseStudy)
      kept.change(shown)
      kept.discard()
      setSavedText(JSON.stringify(shown))
      setBase(theirs.version)
      saving.reset()
      if (stored === null) leaveTo(adminPaths.caseStudy(examId, theirs.caseStudy.id))
      else void revalidate()
    },
  }
}
export type CaseStudyEditorState = ReturnType<typeof useCaseStudyEditor>

/** Failures of calls show in the form; everything else as a toast. */
function showUnexpected(error: unknown): void {
  if (!(error instanceof CallFailed)) toast('error', draftsCopy['editor.save'], messageOf(error))
}

/** Navigates once nothing is unsaved: LeaveGuard blocks until it has rendered the saved state. */
function useLeavingWhenSaved(hasUnsaved: boolean) {
  const navigate = useNavigate()
  const [path, leaveTo] = useState<string | null>(null)
  useEffect(() => {
    // Navigate only after the saved state has been rendered.
    if (path !== null && !hasUnsaved) void navigate(path)
  }, [path, hasUnsaved, navigate])
  return leaveTo
}
