/** The sentences about reminders, on the plan's page and in the email. */
export const copy = {
  'reminders.hour.wrong': 'Choose a full hour from 0 to 23.',
  'reminders.link.wrong':
    'This link is not whole. Open it again from the email, or turn reminders off in your account.',
  'reminders.box': 'Reminders',
  'reminders.box.about':
    'One short email on days with something left to study, about all your courses together. None on days off, when you are done, or without access to a course. The hour is in the time zone of the plan.',
  'reminders.box.hour': 'Remind me at',
  'reminders.box.off': 'No reminders',
  'reminders.box.at': '{hour}:00',
  'reminders.box.save': 'Save',
  'reminders.box.saved': 'Your reminders are saved.',
  'reminders.mail.subject': 'Today: {tasks}',
  'reminders.mail.course': '{course}: {tasks}, about {n:minute|minutes}.',
  'reminders.mail.left': '{n:day|days} to your exam.',
  'reminders.mail.mock': 'a mock exam',
  'reminders.mail.action': 'To the plan',
  'reminders.mail.actions': 'To my courses',
  'reminders.mail.why': 'You asked for this reminder on the page of your plan.',
  'reminders.mail.stop': 'Turn reminders off',
  'reminders.stop.title': 'Turn reminders off',
  'reminders.stop.about': 'Press the button to get no more emails about what to study. Your plan stays as it is.',
  'reminders.stop.press': 'Turn off',
  'reminders.stop.done': 'Reminders are off.',
  'reminders.stop.again': 'You can turn them on again in your account or on the page of your plan.',
} as const
