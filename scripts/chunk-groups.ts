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
  // Small parts that several pages have, in the same file: another one would be a request more for each of them.
  {
    name: 'frame',
    of: /\/src\/(ui\/(notice|field|labelled|when-seen|section-heading-client|page-parts|use-mutation)|lib\/(time|ids)|platform\/realtime\/own-changes-client|app\/layout\/(page-meta|add-to-cart)|features\/catalogue\/ui\/course-(badge|price))\.tsx?$/,
  },
  { name: 'home', of: /\/src\/app\/pages\/home-page\.tsx$/ },
  { name: 'course', of: /\/src\/app\/pages\/course-page\.tsx$/ },
  { name: 'login', of: /\/src\/features\/accounts\/login-page\.tsx$/ },
  { name: 'learning', of: /\/src\/app\/pages\/my-courses-page\.tsx$/ },
  // Without the schemas of stored answers, which only a running exam needs.
  { name: 'review', of: /\/src\/features\/attempts\/review\/exam-review-page\.tsx$/ },
  // Loaded once a page is usable: the stored courses, the changes of the catalogue, and what is needed once somebody acts.
  {
    name: 'late',
    of: /\/(local-courses-client\.ts|layout\/(refreshing-client\.ts|after-start-client\.ts|frame-effects\.tsx))$/,
  },
  { name: 'exam', of: /\/src\/features\/attempts\/exam-screen\/exam-page\.tsx$/ },
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
    groups: [...new Set(files.map(({ name }) => name))].map((name, index) => ({
      name,
      test: (id) => fileOf.get(id) === name,
      priority: files.length - index,
    })),
  }
}
