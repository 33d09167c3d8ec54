export const copy = {
  'pack.heading': 'Offline practice',
  'pack.about':
    'Keep this exam on this device and practice without the network, for as long as your access runs. The right answers are then on the device, too.',
  'pack.keep': 'Keep for offline practice',
  'pack.kept': 'On this device until {day}',
  'pack.open': 'Practice offline',
  'pack.remove': 'Remove from this device',
  'pack.continue': 'Continue, {n} of {total} answered',
  'pack.over': 'Start over',
  'pack.over.title': 'Start over?',
  'pack.over.checked':
    'What you have checked so far, {n:question|questions}, goes to your attempts as a finished practice. A new one begins with the first question.',
  'pack.over.unchecked':
    'Nothing is checked yet, so what you picked is dropped. Practice begins again with the first question.',
  'pack.keep.going': 'Keep it',
  'pack.list': 'Exams on this device',
  'pack.list.none': 'No exam is on this device. The page of each exam that you own has a button that keeps it here.',
  'pack.list.all': 'All exams on this device',
  'pack.unstored':
    'Your latest answers are on this page only: the device does not store them. Keep this page open and make room on the device; they are stored with your next answer.',
  'pack.signed-out': 'Your result is on this device. Sign in, and it is sent.',
  'pack.signin': 'Sign In',
  'pack.leave': 'Leave; your answers stay on this device',
  'pack.none': 'This exam is not on this device, or your access to it has ended.',
  'pack.not-given':
    'This practice does not count: we did not give you this exam for it, or your access did not run then.',
  'pack.unsigned':
    'This practice does not count: its exam came to this device with an earlier version of our site, more than 30 days ago. Keep the exam for offline practice again, and the next one counts.',
  'pack.refused':
    'A practice of {day} could not be added to your attempts. It stays on this device until you sign out.',
  'pack.position': 'Question {n} of {total}',
  'pack.check': 'Check answer',
  'pack.next': 'Next question',
  'pack.finish': 'Finish',
  'pack.result': '{right} of {total} right',
  'pack.waiting': 'Your result is on this device. It is sent when the network is back, and graded again there.',
  'pack.sent': 'Your result is with your other attempts now.',
  'pack.review': 'See the review',
  'pack.back': 'Back to the exam',
} as const
