/** The browser's cache with the images of offline exams; the service worker answers from it. */
export const OFFLINE_IMAGES_CACHE = 'altocert-pack-images'
/** The images of all offline exams of a device together; what comes after is not stored. */
export const OFFLINE_IMAGES_MAX_BYTES = 30 * 1024 * 1024

/** The addresses of our images in the texts of questions, each once. */
export function imageAddressesIn(questions: unknown): string[] {
  return [...new Set(JSON.stringify(questions).match(/\/pictures\/[0-9a-f]{64}\.(?:webp|svg)/g) ?? [])]
}
