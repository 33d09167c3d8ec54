// Written by `npm run map` from the folders of the types.

export const EDITOR_LOADERS = {
  choice: async () => (await import('../choice/choice-editor.tsx')).choiceEditor,
  'drop-down': async () => (await import('../drop-down/drop-down-editor.tsx')).dropDownEditor,
  'hot-spot': async () => (await import('../hot-spot/hot-spot-editor.tsx')).hotSpotEditor,
  matching: async () => (await import('../matching/matching-editor.tsx')).matchingEditor,
  numerical: async () => (await import('../numerical/numerical-editor.tsx')).numericalEditor,
  ordering: async () => (await import('../ordering/ordering-editor.tsx')).orderingEditor,
  'short-answer': async () => (await import('../short-answer/short-answer-editor.tsx')).shortAnswerEditor,
} as const
