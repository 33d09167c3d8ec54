/** The web app manifest. Its colors are those of the light theme (ui/tokens.css). */
export function webManifest(brand: { readonly brandName: string; readonly brandShort: string }) {
  const icon = (src: string, size: number, purpose: 'any' | 'maskable') => ({
    src: `/icons/${src}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  })
  return {
    id: '/',
    name: brand.brandName,
    short_name: brand.brandShort,
    description: 'Practice exams for cloud certifications.',
    lang: 'en',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    theme_color: '#ffffff',
    background_color: '#f6f8fc',
    categories: ['education'],
    icons: [icon('icon-192', 192, 'any'), icon('icon-512', 512, 'any'), icon('maskable-512', 512, 'maskable')],
  }
}
