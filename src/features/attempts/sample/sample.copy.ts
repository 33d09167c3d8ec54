export const copy = {
  'sample.from': 'From the free exam of {course}',
  'sample.check': 'Check answer',
  'sample.checking': 'Checking…',
  'sample.promise': 'No account, nothing stored.',
  'sample.scripts': 'Answering it here needs scripts.',
  'sample.go-on': 'Go on with the free exam',
  'sample.go-on.count': '{n:question|questions}, no account needed',
  'sample.changed': 'This question has changed. Open the free exam to go on.',
} as const
