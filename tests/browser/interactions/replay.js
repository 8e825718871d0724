// Replays a recording with @puppeteer/replay, and prints the errors that the page throws.
const puppeteer = require('puppeteer-core');

async function main() {
  const { createRunner, parse, PuppeteerRunnerExtension } = await import('@puppeteer/replay');
  const args = process.getuid() === 0 ? ['--no-sandbox'] : [];
  const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM, args });
  const seen = [];
  try {
    const page = await browser.newPage();
    page.on('pageerror', (error) => seen.push(`${error.name}: ${error.message}`));
    const flow = parse(JSON.parse(require('fs').readFileSync(process.argv[2], 'utf8')));
    const runner = await createRunner(flow, new PuppeteerRunnerExtension(browser, page, { timeout: 5000 }));
    await runner.run();
    await new Promise((done) => { setTimeout(done, 200); });
  } finally {
    browser.process().kill();
  }
  console.log(JSON.stringify(seen));
}
main().catch((error) => { console.error(error); process.exitCode = 1; });
