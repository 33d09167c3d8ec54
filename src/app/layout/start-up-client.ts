import { copy } from '../app.copy.ts'

/** Event of `giveUp`. */
const GAVE_UP = 'altocert:gave-up'
/** Data attribute of the root element once the page is interactive. */
const STARTED = 'started'
/** Data attribute of the root element while scripts run and load. Without it the style sheet shows what works without them. */
const SCRIPTS = 'scripts'

/** From now on, the failure page handles errors instead of the start-up script. */
export function markStarted(): void {
  const { dataset } = document.documentElement
  dataset[STARTED] = ''
  // React may have written the root element anew.
  dataset[SCRIPTS] = ''
}

/** Shows the Application Error page after React unmounted everything because of an uncaught error. */
export function giveUp(error: unknown): void {
  window.dispatchEvent(new CustomEvent(GAVE_UP, { detail: error }))
}

/** Whether the browser is new enough for our scripts (promise 2.20): from Chrome 110, Firefox 115 and Safari 16 on. An older one loads none. */
export const runsOurScripts = `'noModule' in document.createElement('script')&&'toSorted' in []`

/** Marks the page as one with scripts before it is painted, unless the browser is too old for ours. */
export const scriptsMarkScript = `if(${runsOurScripts})document.documentElement.dataset.${SCRIPTS}=''`

/**
 * When a script does not load, this removes the mark of a page with scripts, and the page works by links and forms. An error
 * that is thrown before the page is interactive shows the Application Error page. Inline, because it must run even if no other
 * script loads; the content security policy contains its hash. A pure call, so that the browser's bundle does not contain its text.
 */
export const startUpScript = /* @__PURE__ */ writeStartUpScript()

function writeStartUpScript(): string {
  const words = JSON.stringify({
    title: copy['app.startup.error'],
    text: copy['startup.text'],
    reload: copy['startup.reload'],
    details: copy['startup.details'],
  })
  return `(function(){
var words=${words},root=document.documentElement,style=document.querySelector('style[data-sheet]'),shown=false;
function withoutScripts(){delete root.dataset.${SCRIPTS}}
function make(tag,look,text){var e=document.createElement(tag);e.className=look;if(text)e.textContent=text;return e}
function show(error){
if(shown)return;shown=true;
var page=document.documentElement||document.appendChild(root);page.dataset.${SCRIPTS}='';
if(!document.head)page.prepend(make('head',''));
if(!document.body)page.append(make('body',''));
if(style&&!style.isConnected)document.head.append(style);
document.title=words.title;
var main=make('main','mx-auto w-full max-w-read px-4 py-16'),button=make('button','mt-6 inline-flex min-h-11 items-center rounded-md bg-accent px-4 py-2 text-sm font-semibold text-on-accent hover:bg-accent-strong',words.reload),details=make('details','mt-6 text-sm'),heading=make('h1','text-2xl font-semibold tablet:text-3xl',words.title);
button.type='button';button.onclick=function(){location.reload()};
heading.tabIndex=-1;
details.append(make('summary','cursor-pointer font-semibold',words.details),make('pre','mt-2 rounded-md bg-sunken p-3 whitespace-pre-wrap wrap-anywhere',error&&error.stack||String(error&&error.message||error)));
main.append(heading,make('p','mt-3',words.text),button,details);
document.body.replaceChildren(main);
if(style){var sheet=make('link','');sheet.rel='stylesheet';sheet.href=style.dataset.sheet;document.head.append(sheet)}
heading.focus();
}
function begins(){return!('${STARTED}' in root.dataset)}
function isUnloaded(error){return error instanceof SyntaxError||error instanceof TypeError&&/\\b(import|module)/i.test(error.message)}
function judge(error){if(isUnloaded(error))withoutScripts();else show(error)}
addEventListener('error',function(event){
if(!begins())return;
if(event.target instanceof HTMLScriptElement)withoutScripts();
else if(event.filename&&event.filename.indexOf(location.origin+'/assets/')===0)judge(event.error||event.message)
},true);
addEventListener('unhandledrejection',function(event){if(begins()&&event.reason instanceof Error)judge(event.reason)});
addEventListener('${GAVE_UP}',function(event){show(event.detail)});
})()`
}
