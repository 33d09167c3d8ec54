export const copy = {
  'account.heading': 'Your account',
  'account.name': 'Name',
  'account.name.change': 'Change name',
  'account.name.done': 'Your name is changed.',
  'account.address': 'Email address',
  'account.address.change': 'Change address',
  'account.address.new': 'New email address',
  'account.address.submit': 'Send link to the new address',
  'account.address.about': 'We email a link to the new address. Until you open it, this address stays yours.',
  'account.address.waiting': 'The link that we sent to {email} has not been opened yet. It works until {until}.',
  'account.address.google':
    'You sign in with Google. To change the address, first set a password with a link that we email to this address.',
  'account.address.same': 'This is your address already.',
  'account.password': 'Password',
  'account.password.about': 'A change signs out every other device.',
  'account.password.change': 'Change password',
  'account.password.current': 'Current password',
  'account.password.new': 'New password',
  'account.password.done': 'Your password is changed. Every other device is signed out.',
  'account.password.none': 'You sign in with Google. With a password you can sign in without it, too.',
  'account.password.set': 'Email me a link to set a password',
  'account.password.sent':
    'An email with a link is on its way to {email}. The link works for one hour, and signs out every device.',
  'account.saved': 'Saved',
  'account.cancel': 'Cancel',
  'account.no-password': 'This account has no password yet. Set one with a link that we email to you.',
  'confirm-address.heading': 'Confirm your new email address',
  'confirm-address.working': 'One moment, your address is being changed.',
  'confirm-address.done': 'Your email address is now {email}. Every other device is signed out.',
  'confirm-address.token':
    'This link has been used, is too old, or belongs to another account. Ask for a new one on your account page.',
  'confirm-address.back': 'Your account',
  'address.mail.subject': 'Confirm this email address for {brand}',
  'address.mail.line':
    'somebody asked to use this address for their account. If it was you, open the link in a browser in which you are signed in. It works once, for 24 hours.',
  'address.mail.other': 'If it was not you, you can ignore this email: nothing changes.',
  'address.mail.action': 'Confirm this address',
  'address-changed.mail.subject': 'The email address of your {brand} account was changed',
  'address-changed.mail.line':
    'your account now has another email address, confirmed by a link and by your password. Emails go there from now on, and every other device is signed out.',
  'address-changed.mail.other':
    'If it was not you, somebody knows your password. Answer this email at once, so that we can give the account back to you, and change this password wherever else you use it.',
  'password-changed.mail.subject': 'The password of your {brand} account was changed',
  'password-changed.mail.line': 'the password of your account was just changed, and every other device was signed out.',
  'password-changed.mail.other':
    'If it was not you, choose a new password at once. That signs out every device, also the one that changed it.',
  'password-changed.mail.action': 'Choose a new password',
} as const
