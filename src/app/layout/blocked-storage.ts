/**
 * In a browser that blocks storage, even reading `localStorage` throws. This script replaces it, for our code and for
 * libraries, by a storage that lasts as long as the page. The content security policy contains the script's hash.
 */
export const blockedStorageScript = `(function(){
function Kept(){Object.defineProperty(this,'of',{value:new Map})}
function hide(name,value){Object.defineProperty(Kept.prototype,name,value)}
hide('length',{get:function(){return this.of.size}});
hide('key',{value:function(i){return Array.from(this.of.keys())[i]||null}});
hide('getItem',{value:function(k){return this.of.has(k)?this.of.get(k):null}});
hide('setItem',{value:function(k,v){this.of.set(k,String(v))}});
hide('removeItem',{value:function(k){this.of.delete(k)}});
hide('clear',{value:function(){this.of.clear()}});
['localStorage','sessionStorage'].forEach(function(name){try{window[name].length}catch(e){Object.defineProperty(window,name,{configurable:true,value:new Kept})}})
})()`
