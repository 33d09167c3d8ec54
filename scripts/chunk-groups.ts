import type { Plugin, Rolldown } from 'vite'

/**
 * The files that pages share, each made for the pages that it names: on a slow network a request costs more than a few bytes too many.
 * A file holds what its pages load, without what an earlier file has; other modules are left to the bundler.
 */
const files: readonly { readonly name: string; readonly of: RegExp }[] = [
  // React, the router, and the frame around every page.
  {
    name: 'frame',
    of: /\/src\/app\/(entry\.client|root|layout\/site-layout)\.tsx$|rolldown[\\/]runtime|preload-helper/,
  },
  { name: 'home', of: /\/src\/(app\/pages\/home-page|ui\/(notice|field|labelled))\.tsx$/ },
  { name: 'course', of: /\/src\/app\/pages\/course-page\.tsx$/ },
  { name: 'login', of: /\/src\/features\/accounts\/login-page\.tsx$/ },
  { name: 'learning', of: /\/src\/app\/pages\/my-courses-page\.tsx$/ },
  // Loaded once a page is usable: the stored courses, and the changes of the catalogue.
  { name: 'late', of: /\/(local-courses-client|layout\/refreshing-client)\.ts$/ },
  // Exams and their reviews.
  { name: 'study', of: /\/src\/features\/attempts\/(exam-screen\/exam-page|review\/exam-review-page)\.tsx$/ },
]

/** Assigns modules to these files, by the static imports of the pages. */
export function chunkGroups(): { plugin: Plugin; groups: Rolldown.CodeSplittingGroup[] } {
  const fileOf = new Map<string, string>()
  return {
    plugin: {
      name: 'altocert:chunk-groups',
      apply: 'build',
      renderStart() {
        fileOf.clear()
        const ids = [...this.getModuleIds()]
        for (const { name, of } of files) {
          const visit = (id: string) => {
            if (fileOf.has(id)) return
            fileOf.set(id, name)
            this.getModuleInfo(id)?.importedIds.forEach(visit)
          }
          ids.filter((id) => of.test(id.split('?')[0] ?? '')).forEach(visit)
        }
      },
    },
    groups: files.map(({ name }, index) => ({
      name,
      test: (id) => fileOf.get(id) === name,
      priority: files.length - index,
    })),
  }
}
