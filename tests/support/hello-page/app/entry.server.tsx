/** Only the scripts of this page are measured. */
export default function handleRequest(): Response {
  return new Response('')
}
