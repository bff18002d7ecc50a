import { startUnleash } from 'unleash-client';
const customHeaders = { Authorization: process.env.APP_TOKEN };
const unleash = await startUnleash({ url: 'http://localhost:4855/api', appName: 'tour', customHeaders });
const users = Array.from({ length: 1000 }, (_, index) => `user-${index}`);
const served = users.filter((userId) => unleash.isEnabled('new-checkout', { userId }));
console.log(`${served.length} of ${users.length} users get the new checkout.`);
await unleash.destroyWithFlush();
