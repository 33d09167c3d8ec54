/** Runs before the first paint, so that the other theme does not flash. The content security policy contains its hash. */
export const themeScript = `try{var t=localStorage.getItem('theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch(e){}`

type Theme = 'light' | 'dark'

/** Switches to the other theme and stores the choice. */
export function switchTheme(): Theme {
  const root = document.documentElement
  const current = root.dataset['theme'] ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
  const next: Theme = current === 'dark' ? 'light' : 'dark'
  root.dataset['theme'] = next
  try {
    localStorage.setItem('theme', next)
  } catch (error) {
    console.warn('The theme could not be stored:', error)
  }
  return next
}
