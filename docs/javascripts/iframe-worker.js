// Search without a server: from a file a browser starts no worker, so the search runs in a hidden frame instead.
// The theme's `offline` plugin would fetch such a shim from another host; this one comes along (mkdocs.yml names it).
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      this.frame = document.createElement("iframe")
      this.frame.hidden = true
      document.body.appendChild(this.frame)
      const inside = this.frame.contentWindow
      inside.postMessage = data => {  // what the worker posts
        const event = new MessageEvent("message", { data })
        this.dispatchEvent(event)
        if (this.onmessage) this.onmessage(event)
      }
      inside.importScripts = (...urls) =>
        urls.reduce((before, each) => before.then(() => this.load(new URL(each, url).href)), Promise.resolve())
      this.loaded = this.load(url)
    }

    load(url) {
      const script = this.frame.contentDocument.createElement("script")
      script.src = url
      this.frame.contentDocument.body.appendChild(script)
      return new Promise((resolve, reject) => Object.assign(script, { onload: resolve, onerror: reject }))
    }

    postMessage(data) {
      const inside = this.frame.contentWindow
      this.loaded.then(() => inside.dispatchEvent(new inside.MessageEvent("message", { data })))
    }

    terminate() {
      this.frame.remove()
    }
  }
}
