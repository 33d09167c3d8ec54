/** The id of the page's module script, which the server sends as text. */
const MODULES_ID = 'page-modules'
/** A page that is never painted, such as one in a covered window, starts by then. */
const LATEST_MS = 1000

/**
 * Starts the page's scripts after its first paint: on a slow phone, requesting a dozen files takes longer than painting the page.
 * Inline, as the text that it starts; the content security policy contains the hashes of both.
 */
export const lateScriptsScript = `(function(){
var text=document.getElementById('${MODULES_ID}'),begun=false;
if(!text)return;
function start(){
if(begun)return;begun=true;
text.dataset.files.split(' ').forEach(function(href){var l=document.createElement('link');l.rel='modulepreload';l.href=href;document.head.append(l)});
var script=document.createElement('script');script.type='module';script.textContent=text.textContent;document.body.append(script);
}
if(document.visibilityState==='hidden')start();
else{requestAnimationFrame(function(){setTimeout(start)});setTimeout(start,${LATEST_MS})}
})()`

/** Turns a page's module script into text that waits, and the links that preload its files into its list of files. */
export function delayScripts(html: string): string {
  const preload = /<link rel="modulepreload" href="([^"]+)"\/>/g
  const files = [...html.matchAll(preload)].map(([, href = '']) => href)
  return html
    .replaceAll(preload, '')
    .replace(
      '<script type="module" async="">',
      `<script type="text/plain" id="${MODULES_ID}" data-files="${files.join(' ')}">`,
    )
}
