import { runsOurScripts } from './start-up-client.ts'

/** The id of the page's module script, which the server sends as text. */
const MODULES_ID = 'page-modules'
/** The id of the element that holds the data of the page's loaders as text. */
const DATA_ID = 'page-data'
/** A page that is never painted, such as one in a covered window, starts by then. */
const LATEST_MS = 1000

/** A script that runs after the first paint: the server sends it as text. Those of a page run in their order, before its modules. */
export const LATE = { type: 'text/plain', 'data-late': '' } as const
/** The place of the page's data in its frame. */
export const DATA = { type: 'text/plain', id: DATA_ID } as const

/**
 * Starts the page's scripts after its first paint: on a slow phone, running the small ones and requesting a dozen files takes longer
 * than painting the page. A page that is loaded anew or gone back to runs the small ones at once, since one of them scrolls to where it
 * was. In a browser that is too old for the modules nothing runs. Inline, as the texts that it runs; the content security policy
 * contains the hashes of all.
 */
export const lateScriptsScript = `(function(){
var modules=document.getElementById('${MODULES_ID}'),hasRun=false,begun=false;
if(!modules||!(${runsOurScripts}))return;
function add(type,code){var s=document.createElement('script');s.type=type;s.textContent=code;return document.body.appendChild(s)}
function run(){
if(hasRun)return;hasRun=true;
document.querySelectorAll('script[data-late]').forEach(function(text){add('',text.textContent).remove()});
}
function start(){
if(begun)return;begun=true;
run();
modules.dataset.files.split(' ').forEach(function(href){var l=document.createElement('link');l.rel='modulepreload';l.href=href;document.head.append(l)});
add('module',modules.textContent);
}
if(history.state)run();
if(document.visibilityState==='hidden')return start();
setTimeout(start,${LATEST_MS});
try{new PerformanceObserver(function(list){if(list.getEntriesByName('first-contentful-paint')[0])start()}).observe({type:'paint',buffered:true})}
catch(e){requestAnimationFrame(function(){setTimeout(start)})}
})()`

/** Gives the router the page's data as one piece, where its own script would take it piece by piece. */
const feed = `;(function(to){to.enqueue(document.getElementById('${DATA_ID}').textContent);to.close()})(window.__reactRouterContext.streamController)`
const contextEnd = '.pipeThrough(new TextEncoderStream());'

/**
 * Fills in the page's data as text, which no script has to be compiled for, and turns the router's scripts into texts that wait, and the
 * links that preload its files into the list of the modules' files. For the HTML as the router renders it, with its nonce.
 */
export function delayScripts(html: string, data: string): string {
  const preload = /<link rel="modulepreload" href="([^"]+)"[^>]*\/>/g
  const files = [...html.matchAll(preload)].map(([, href = '']) => href)
  return (
    html
      .replaceAll(preload, '')
      .replace(
        /<script([^>]*)>(window\.__reactRouterContext = [^<]*)/,
        (_tag, attributes: string, code: string) =>
          `<script${attributes} type="${LATE.type}" data-late="">${code.replace(contextEnd, contextEnd + feed)}`,
      )
      .replace(
        /<script([^>]*?) type="module" async="">/,
        (_tag, attributes: string) =>
          `<script${attributes} type="text/plain" id="${MODULES_ID}" data-files="${files.join(' ')}">`,
      )
      // As text of JSON, in which a sign may be written by its number. Without `<`, nothing in it ends the element.
      .replace(`id="${DATA_ID}">`, (tag) => tag + data.replaceAll('<', String.raw`\u003c`))
  )
}
