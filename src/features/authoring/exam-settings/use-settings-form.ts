import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { z } from 'zod'
import { CallFailed, messageOf } from '../../../platform/api-client.ts'
import {
  discardUnsavedText,
  settleUnsavedText,
  storeUnsavedText,
  typedKey,
  useTyped,
} from '../../../platform/unsaved-text-client.ts'
import { toast } from '../../../ui/toasts.tsx'
import { useMutation } from '../../../ui/use-mutation.ts'
import { ExamSettings } from '../../catalogue/exam-settings.schema.ts'
import { changeSettings } from '../drafts/drafts-client.ts'
import { copy } from '../drafts/drafts.copy.ts'
import type { DraftView } from '../drafts/drafts.schema.ts'

const Typed = z.object({
  title: z.string(),
  timeLimitMinutes: z.string(),
  passingScore: z.string(),
  scoringPolicy: ExamSettings.shape.scoringPolicy,
  isFreeTrial: z.boolean(),
})
export type Typed = z.infer<typeof Typed>

function toTyped({ title, timeLimitMinutes, passingScore, scoringPolicy, isFreeTrial }: ExamSettings): Typed {
  return {
    title,
    timeLimitMinutes: String(timeLimitMinutes),
    passingScore: String(passingScore),
    scoringPolicy,
    isFreeTrial,
  }
}

const isSame = (one: Typed, other: Typed) => JSON.stringify(one) === JSON.stringify(other)

export type FormProps = {
  readonly examId: string
  readonly adminId: string
  readonly draft: DraftView
}

type Save = {
  readonly sent: Typed
  /** The settings that it replaces. */
  readonly version: number
  readonly onSettled: (isSaved: boolean) => void
}

type Written = {
  readonly values: Typed
  /** The version of the settings that were typed over: another admin may store others meanwhile. */
  readonly version: number
  /** Whether the draft has them in this version; the page may not have loaded it yet. */
  readonly isStored: boolean
}

/** The settings as they are typed, which are stored on this device until they are saved; without any, those of the draft. */
export function useSettingsForm({ examId, adminId, draft }: FormProps) {
  const { revalidate } = useRevalidator()
  const key = typedKey(adminId, `settings.${examId}`)
  const stored = toTyped(draft.settings)
  const [written, setWritten] = useState<Written | null>(null)
  // What equals the draft follows it once the page has loaded it.
  const isFollowing = written?.isStored !== false && (written?.version ?? 0) <= draft.settingsVersion
  const typing = isFollowing ? null : written
  const onDevice = useTyped(key, Typed)
  const kept = typing === null && onDevice !== null && !isSame(onDevice.value, stored) ? onDevice : null
  const typed = typing?.values ?? stored
  const version = typing?.version ?? draft.settingsVersion
  const change = (values: Typed, over = version) => {
    setWritten({ values, version: over, isStored: false })
    storeUnsavedText(key, values, over)
  }
  const saving = useMutation((save: Save) => changeSettings(examId, toSettings(save.sent), save.version), {
    onSuccess: async ({ settingsVersion }, { sent, onSettled }) => {
      settleUnsavedText(key, { saved: sent, base: settingsVersion })
      toast('success', copy['exam.settings.saved'])
      setWritten((now) => now && { ...now, version: settingsVersion, isStored: isSame(now.values, sent) })
      await revalidate()
      onSettled(true)
    },
    onFailure: (error, { onSettled }) => {
      if (!(error instanceof CallFailed)) toast('error', copy['exam.settings'], messageOf(error))
      onSettled(false)
    },
  })
  return {
    typed,
    kept,
    saving,
    hasUnsaved: typing?.isStored === false && !isSame(typing.values, stored),
    change: (values: Typed) => change(values),
    takeUp: () => kept !== null && change(kept.value, kept.base ?? version),
    discard: () => discardUnsavedText(key),
    save: (over = version) =>
      new Promise<boolean>((onSettled) => saving.run({ sent: typed, version: over, onSettled })),
    /** Goes on from what another admin stored. */
    take: ({ settings, settingsVersion }: DraftView) => {
      setWritten({ values: toTyped(settings), version: settingsVersion, isStored: true })
      discardUnsavedText(key)
      saving.reset()
      void revalidate()
    },
  }
}

function toSettings(typed: Typed): ExamSettings {
  return {
    ...typed,
    timeLimitMinutes: numberOf(typed.timeLimitMinutes),
    passingScore: numberOf(typed.passingScore),
  }
}

/** An empty field is sent as NaN, so that the server refuses it with its sentence. */
function numberOf(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text)
}
