import { changePractice, findResult, finishPractice, onDeviceChange, readStored } from './offline-exams-client.ts'
import { endPractice, type Practice } from './offline-exams.ts'
import type { OfflineAttempt, OfflineExam } from './offline-exams.schema.ts'

type Update = (before: Practice) => Practice

type PracticeState = {
  readonly practice: Practice
  /** The attempt that the practice became, here or in another tab. */
  readonly attempt: OfflineAttempt | null
  /** The latest changes could not be stored on the device. */
  readonly isUnstored: boolean
  /** The exam was removed from the device before anything was checked. */
  readonly isGone: boolean
}

/**
 * A practice on the screen. Each change shows at once and is stored on the device at once, because phones reload tabs by themselves.
 * All tabs show what is stored, so that they are one practice: the last change of each question counts.
 */
export class OpenPractice {
  readonly #offlineExam: OfflineExam
  #state: PracticeState
  /** The changes that are not stored yet, the oldest first. */
  #unstored: Update[] = []
  #storing: Promise<void> | null = null
  readonly #listeners = new Set<() => void>()

  constructor(offlineExam: OfflineExam, practice: Practice) {
    this.#offlineExam = offlineExam
    this.#state = { practice, attempt: null, isUnstored: false, isGone: false }
  }

  state = () => this.#state

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /** Follows the other tabs until the returned function is called. */
  open = () => onDeviceChange(() => void this.#follow())

  change = (update: Update): void => {
    this.#set({ practice: update(this.#state.practice) })
    this.#unstored.push(update)
    void this.#store()
  }

  finish = async (): Promise<void> => {
    await this.#store()
    if (this.#unstored.length > 0) return
    try {
      const attempt = await finishPractice(this.#offlineExam.examSlug, this.#state.practice.id)
      if (attempt === null) await this.#follow()
      else this.#set({ attempt })
    } catch (error) {
      this.#handleFailure(error)
    }
  }

  /** One write after the other. Changes that could not be stored are stored with the next one. */
  async #store(): Promise<void> {
    this.#storing ??= this.#storeAll().finally(() => {
      this.#storing = null
    })
    await this.#storing
  }

  async #storeAll(): Promise<void> {
    while (this.#unstored.length > 0) {
      const updates = [...this.#unstored]
      const all: Update = (before) => updates.reduce((practice, update) => update(practice), before)
      try {
        const isStored = await changePractice(this.#offlineExam.examSlug, this.#state.practice.id, all)
        this.#unstored = this.#unstored.slice(updates.length)
        if (this.#state.isUnstored) this.#set({ isUnstored: false })
        if (!isStored) await this.#follow()
      } catch (error) {
        return this.#handleFailure(error)
      }
    }
  }

  #handleFailure(error: unknown): void {
    console.warn('The answer could not be stored on this device:', error)
    this.#set({ isUnstored: true })
  }

  /** Shows what is on the device, unless this tab has changed it since. */
  async #follow(): Promise<void> {
    while (this.#state.attempt === null && this.#unstored.length === 0) {
      const shown = this.#state.practice
      try {
        const stored = await readStored(this.#offlineExam.examSlug)
        const result = stored?.practice === undefined ? await findResult(shown.id) : null
        // What was read may be older than what is shown since: the message of a tab that checked and finished at once comes twice.
        if (this.#state.practice !== shown || this.#unstored.length > 0) continue
        if (stored?.practice !== undefined) return this.#set({ practice: stored.practice })
        // Another tab finished the practice, or the exam was removed: what was checked is a result now.
        const attempt = result?.attempt ?? endPractice(this.#offlineExam, shown)
        return this.#set(attempt === null ? { isGone: true } : { attempt })
      } catch (error) {
        return console.warn('The practice could not be read:', error)
      }
    }
  }

  #set(changed: Partial<PracticeState>): void {
    this.#state = { ...this.#state, ...changed }
    for (const listener of this.#listeners) listener()
  }
}
