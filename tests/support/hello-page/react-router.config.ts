export default { ssr: true, buildDirectory: process.env['HELLO_BUILD'] ?? 'build' }
