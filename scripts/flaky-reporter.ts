import { writeFileSync } from 'node:fs'
import type { Reporter, TestCase } from 'vitest/node'

/** Writes the tests that passed only on their second try to the file FLAKY_REPORT; the JSON reporter does not tell them. */
export default class FlakyReporter implements Reporter {
  private readonly flaky: { readonly file: string; readonly title: string }[] = []

  onTestCaseResult(test: TestCase) {
    if (test.diagnostic()?.flaky) this.flaky.push({ file: test.module.moduleId, title: test.fullName })
  }

  onTestRunEnd() {
    if (process.env.FLAKY_REPORT) writeFileSync(process.env.FLAKY_REPORT, JSON.stringify(this.flaky))
  }
}
