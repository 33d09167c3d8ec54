/** The sentences about reminders on a device. */
export const copy = {
  'push.full': 'Reminders are on for 10 devices already. Turn them off on one of them first.',
  'push.endpoint.wrong': 'The push service of this browser has an address that cannot be used.',
  'push.keys.wrong': 'The keys of this browser cannot be used.',
  'push.on': 'On this device too',
  'push.on.about': 'The same reminder as a notification, also while this site is closed.',
  'push.off': 'Turn off on this device',
  'push.off.about': 'Reminders also come to this device.',
  'push.denied':
    'This browser blocks notifications of this site. Allow them in its settings to be reminded on this device.',
  'push.failed': 'This browser could not turn on notifications. Try again later; the emails are not affected.',
  'push.notice.title': 'Time to study',
  'push.notice.text': 'Your plan has something for today.',
} as const
