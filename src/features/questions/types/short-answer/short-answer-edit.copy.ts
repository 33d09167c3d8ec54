export const copy = {
  'forms.list': 'must be a list of accepted answers',
  'forms.many': 'The question can have at most twenty accepted answers.',
  'editor.forms': 'Accepted answers',
  'editor.forms.hint':
    'One to twenty, the best one first. Plain text: * stands for any text, and \\* for an asterisk. Runs of blanks count as one.',
  'editor.form': 'Accepted answer {n}',
  'editor.form.add': 'Add an accepted answer',
  'editor.case': 'Upper and lower case must be as written',
  'editor.summary': '{n:accepted answer|accepted answers}',
  'correction.left': 'The file has more accepted answers than a question can have. These are left out:',
  'key.text': 'The right answer',
  'key.text.hint': 'Until now “{key}”.',
  'key.others': 'Other accepted answers',
  'key.others.hint': 'One on each line. * stands for any text, and \\* for an asterisk.',
  'key.others.wrong': 'Write each accepted answer on a line of its own, with at most 100 characters.',
  'key.none': 'Write the right answer, at most 100 characters.',
} as const
