/** Runs before the first paint, so that a chosen theme does not flash. Its hash stands in the content security policy. */
export const themeScript = `try{var t=localStorage.getItem('theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch(e){}`

export type Theme = 'light' | 'dark'

/** Switches from what is seen now to the other one, and keeps it. */
export function switchTheme(): Theme {
  const root = document.documentElement
  const seen = root.dataset['theme'] ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
  const next: Theme = seen === 'dark' ? 'light' : 'dark'
  root.dataset['theme'] = next
  try {
    localStorage.setItem('theme', next)
  } catch (error) {
    console.warn('The theme could not be kept:', error)
  }
  return next
}
