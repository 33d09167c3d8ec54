export const copy = {
  'sessions.heading': 'Where you are signed in',
  'sessions.about': 'If you do not know a device, sign it out and change your password.',
  'sessions.device.unknown': 'Unknown device',
  'sessions.address.unknown': 'Network address unknown',
  'sessions.current': 'This device',
  'sessions.used': 'Last used {at}',
  'sessions.end': 'Sign out',
  'sessions.end.all': 'Sign out everywhere else',
  'sessions.none': 'You are signed in on this device only.',
  'sessions.ended.one': 'The device is signed out.',
  'sessions.ended.all': 'Every other device is signed out.',
  'sessions.ended': 'This device is signed out already.',
} as const
